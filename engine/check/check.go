// Package check gathers the warnings about a typeset book: what the parser and
// the layout noted on the way, what the configuration had to have replaced, and
// what can be seen on the finished pages (warnings.md).
//
// It reads a result and changes nothing; equal results give equal warnings, in
// one order: the book's first, then chapter by chapter in the order of the
// source.
package check

import (
	"fmt"
	"sort"

	"postext/engine"
	"postext/engine/frame"
	"postext/engine/settings"
)

// Warning is a problem with its chapter.
type Warning struct {
	// Chapter is the index of the chapter, -1 for what concerns the book.
	Chapter int
	frame.Problem
}

// Book lists all warnings of a result.
func Book(r *engine.Result) []Warning {
	var out []Warning
	for _, p := range r.Problems {
		out = append(out, Warning{-1, p})
	}
	for _, w := range r.Design.Warnings {
		out = append(out, Warning{-1, ofConfig(w)})
	}
	for i := range r.Frames.Chapters {
		out = append(out, Chapter(r, i)...)
	}
	return out
}

// Chapter lists the warnings of one chapter.
func Chapter(r *engine.Result, i int) []Warning {
	c := r.Frames.Chapters[i]
	ps := append([]frame.Problem(nil), c.Problems...)
	ps = append(ps, looseLines(c, r.Design.Debug.LooseThreshold)...)
	sort.SliceStable(ps, func(a, b int) bool { return ps[a].Start < ps[b].Start })
	out := make([]Warning, len(ps))
	for k, p := range ps {
		out[k] = Warning{i, p}
	}
	return out
}

func ofConfig(w settings.Warning) frame.Problem {
	p := frame.Problem{Kind: w.Kind, Path: w.Path, Start: -1, Page: -1}
	p.Detail = w.Path + ": " + w.Value
	if w.Used != "" {
		p.Detail += ", set as " + w.Used
	}
	for _, f := range []frame.Field{{Key: "path", Value: w.Path}, {Key: "value", Value: w.Value}, {Key: "used", Value: w.Used}, {Key: "suggestion", Value: w.Suggestion}} {
		if f.Value != "" {
			p.Fields = append(p.Fields, f)
		}
	}
	return p
}

// looseLines finds justified lines whose spaces pass the threshold, in times the
// natural space.
func looseLines(c *frame.Chapter, threshold float64) []frame.Problem {
	if threshold <= 0 {
		return nil
	}
	limit := int32(float64(threshold*1000) + 0.5)
	limitText := hundredths(limit)
	var out []frame.Problem
	for i, pg := range c.Pages {
		for k := range pg.Columns {
			for _, b := range pg.Columns[k].Blocks {
				for l := range b.Lines {
					ln := &b.Lines[l]
					if !ln.Justified || ln.Ratio <= limit {
						continue
					}
					ratio := hundredths(ln.Ratio)
					out = append(out, frame.Problem{Kind: "looseLine", Page: i, Start: b.Text.Source(int(ln.Start)), End: b.Text.Source(int(ln.End)),
						Detail: ratio + "× · threshold " + limitText + "×",
						Fields: []frame.Field{{Key: "ratio", Value: ratio}, {Key: "threshold", Value: limitText}}})
				}
			}
		}
	}
	return out
}

// hundredths writes thousandths as a number with two decimals.
func hundredths(v int32) string { return fmt.Sprintf("%d.%02d", v/1000, v%1000/10) }
