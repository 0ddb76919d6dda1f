package fontdir

import (
	"bytes"
	"errors"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
)

// Describe reads family, weight and slant from the tables of a font file.
func Describe(data []byte) (family string, weight int, italic bool, err error) {
	defer func() {
		if recover() != nil { // damaged tables
			err = errors.New("the font file is damaged")
		}
	}()
	lds, err := ot.NewLoaders(bytes.NewReader(data))
	if err != nil || len(lds) == 0 {
		return "", 0, false, errors.New("it is no TrueType or OpenType font")
	}
	d, _ := otfont.Describe(lds[0], nil)
	if d.Family == "" {
		return "", 0, false, errors.New("the font file does not name its family")
	}
	return d.Family, int(d.Aspect.Weight), d.Aspect.Style == otfont.StyleItalic, nil
}
