package layout

import (
	"postext/engine/frame"
	"postext/engine/settings"
)

// marksOf are the crop marks of the pages. The sheet grows by the bleed, the room
// before a mark and its length; a mark begins after both the room and the bleed.
func marksOf(c *settings.CutLines) *frame.CropMarks {
	if !c.Enabled {
		return nil
	}
	return &frame.CropMarks{Bleed: c.Bleed, Margin: c.Bleed + c.Offset + c.Length, Start: max(c.Offset, c.Bleed),
		Length: c.Length, Width: c.Width, Color: c.Color}
}
