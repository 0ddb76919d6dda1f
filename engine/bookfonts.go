package engine

import (
	"fmt"
	"maps"
	"slices"

	"postext/book"
	"postext/engine/font"
	"postext/engine/settings"
)

// A book may bring font files along. A family of its setting customFonts beats
// one of the same name from elsewhere; files no such family names are known by
// what their tables say.

// ownFonts are the faces of a book's own fonts.
type ownFonts struct {
	files    []*book.Resource
	families map[string][]ownFace // by folded name
}

type ownFace struct {
	style font.Style
	file  font.File
	from  *book.Resource
}

// sameFonts reports whether a book has the files and families these were made of.
func (o *ownFonts) sameFonts(b *book.Book) bool {
	return o != nil && slices.Equal(o.files, b.Fonts) || o == nil && len(b.Fonts) == 0
}

func newOwnFonts(b *book.Book, families []settings.CustomFont) *ownFonts {
	if len(b.Fonts) == 0 {
		return nil
	}
	o := &ownFonts{files: b.Fonts, families: map[string][]ownFace{}}
	named := map[*book.Resource]bool{}
	for _, f := range families {
		for _, v := range f.Variants {
			at := slices.IndexFunc(b.Fonts, func(r *book.Resource) bool { return r.ID == v.FileID || r.Name == v.FileID })
			if at < 0 {
				continue
			}
			r := b.Fonts[at]
			named[r] = true
			o.add(f.Name, font.Style{Weight: v.Weight, Italic: v.Italic}, font.File{Family: f.Name, Weight: v.Weight, Italic: v.Italic}, r)
		}
	}
	for _, r := range b.Fonts {
		if named[r] {
			continue
		}
		data, err := r.Bytes()
		if err != nil {
			continue // the book's warnings tell it
		}
		members, err := font.Members(data)
		if err != nil {
			continue // no font: the families that want it are reported missing
		}
		for _, m := range members {
			for _, w := range m.Weights() {
				o.add(m.Family, font.Style{Weight: w, Italic: m.Italic},
					font.File{Family: m.Family, Weight: w, Italic: m.Italic, Index: m.Index, Axes: m.Axes}, r)
			}
		}
	}
	return o
}

// add takes a face in; of two for one style the first stays.
func (o *ownFonts) add(family string, style font.Style, file font.File, from *book.Resource) {
	k := font.Fold(family)
	if !slices.ContainsFunc(o.families[k], func(f ownFace) bool { return f.style == style }) {
		o.families[k] = append(o.families[k], ownFace{style, file, from})
	}
}

// names lists the book's own families, in order.
func (o *ownFonts) names() []string {
	if o == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(o.families))
}

// font is the face nearest to a request; ok is false for a family that is not
// the book's.
func (o *ownFonts) font(k faceKey) (file font.File, ok bool, err error) {
	if o == nil {
		return file, false, nil
	}
	faces := o.families[font.Fold(k.family)]
	if len(faces) == 0 {
		return file, false, nil
	}
	styles := make([]font.Style, len(faces))
	for i := range faces {
		styles[i] = faces[i].style
	}
	f := faces[font.Nearest(styles, k.weight, k.italic)]
	data, err := f.from.Bytes()
	if err != nil {
		return file, true, fmt.Errorf("the font %s of the book: %w", f.from.Name, err)
	}
	f.file.Data = data
	return f.file, true, nil
}
