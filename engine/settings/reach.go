package settings

import (
	"math"
	"slices"
	"strings"
)

// Reach. settings.md names ranges for some settings only, and "a bare bound is our
// own input validation". A value no page can have is a slip of a unit or a zero too
// many: it is refused when it is set, with the range. Files are read as they are.
//
//   - A page, and any length on it: at most 508 cm, the largest page of a PDF
//     (ISO 32000-1, annex C).
//   - Type: at most 2000 pt, and leading 4000 pt.
//   - In ems and rems: at most 1000, of type and leading 100.
//   - Numbers by what they count: see numberReach.

const (
	maxOnPage  = 14400 // pt
	maxType    = 2000  // pt
	maxLeading = 4000  // pt
)

// pointsPer is the length of one unit in points; px as at 300 ppi.
var pointsPer = map[string]float64{"pt": 1, "in": 72, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 72.0 / 300}

// numberReach is the largest magnitude of a number of each unit.
var numberReach = map[string]float64{
	"lines": 1000, "characters": 10_000, "words": 1000, "word spaces": 1000, "columns": 100, "cells": 1000, "em": 1000,
	"ppi": 10_000, "1/1000 em": 10_000, "× space": 1000, "× text": 100, "%": 1000, "CSS px": 100_000,
}

const anyNumber = 1_000_000

// reach gives the bounds of a value in a unit: those of the table, and where it
// names none on a side those above.
func (s *Setting) reach(u string) Bounds {
	b := s.Bounds
	most := math.Inf(1)
	switch {
	case slices.Contains(lengthUnits, u) && (s.Type == Length || s.mixedLength()):
		isType := strings.HasSuffix(strings.ToLower(s.name), "fontsize") || s.name == "size" || s.name == "smallTextSize"
		isLeading := s.name == "lineHeight"
		per, absolute := pointsPer[u]
		switch {
		case !absolute && (isType || isLeading):
			most = 100
		case !absolute:
			most = 1000
		case isType:
			most = maxType / per
		case isLeading:
			most = maxLeading / per
		default:
			most = maxOnPage / per
		}
		// Whole figures, and no less than what is meant.
		most = math.Ceil(math.Round(most*1000) / 1000)
	case s.Type == Number || s.Type == Integer || s.Type == Mixed:
		if most = numberReach[s.Unit]; most == 0 {
			most = anyNumber
		}
	default:
		return b
	}
	if !b.HasMax {
		b.Max, b.HasMax = most, true
	}
	if !b.HasMin {
		b.Min, b.HasMin = -b.Max, true
	}
	return b
}

// outside says that a value is out of the setting's reach, or "".
func (s *Setting) outside(path string, x float64, u string) string {
	b := s.reach(u)
	if s.Bounds.Clamp {
		b.Min, b.Max = -anyNumber, anyNumber
		b.OpenMin, b.OpenMax = false, false
	}
	if b.Contains(x) {
		return ""
	}
	if slices.Contains(lengthUnits, u) {
		return path + " must be " + b.String() + " (in " + u + "): " + shortNumber(x) + u + " is not."
	}
	return path + " must be " + b.String() + ": " + shortNumber(x) + " is not."
}

// Range is what a value of the setting may be, in words, in its own unit; "" where
// it is no number.
func (s *Setting) Range() string {
	switch s.Type {
	case Length, Number, Integer, Mixed:
		if s.Bounds.Clamp {
			return s.Bounds.String()
		}
		return s.reach(s.Unit).String()
	}
	return s.Bounds.String()
}
