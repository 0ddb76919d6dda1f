package sandbox

import (
	"context"
	"encoding/hex"

	"postext/engine/frame"
)

// Hash sums up the pages of the current revision (frame.Hash, in hexadecimal)
// and counts them: the measure of "the same pages" between two machines.
func (s *Session) Hash(ctx context.Context) (sum string, pages int, err error) {
	l, err := s.Layout(ctx)
	if err != nil {
		return "", 0, err
	}
	h := frame.Hash(l.Frames)
	return hex.EncodeToString(h[:]), l.Frames.PageCount(), nil
}
