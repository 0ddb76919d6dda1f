package cite

import (
	"strings"
)

// datePart is how a part of a date is written.
type datePart struct {
	name, form     string
	before, after  string
	strip          bool
	textCase, dash string
	e              *element
}

// dateOf prints a date: in the style's own parts, or in the language's form.
func (p *printer) dateOf(e *element) piece {
	name := e.get("variable")
	d := p.w.Dates[name]
	if p.silent[name] {
		d = Date{}
	}
	out := piece{called: true}
	if d.Year == 0 && d.Literal == "" {
		return out
	}
	out.filled = true
	if p.role == forSort {
		out.rich = said(sortDate(d))
		return out
	}
	if d.Year == 0 {
		out.rich = p.finish(e, p.suffixed(name, field(d.Literal)))
		return out
	}
	parts, delimiter := p.partsOf(e)
	r := p.rangeOf(d, parts, delimiter, name)
	if r.empty() {
		return piece{called: true}
	}
	out.rich = p.finish(e, r)
	return out
}

// suffixed puts the letter that tells works of one year apart behind the first
// year of the date of issue, where the style prints it nowhere itself.
func (p *printer) suffixed(name string, r rich) rich {
	if name != "issued" || p.letter == "" || p.dated || p.role != forSort && p.s.ownLetter[p.role] {
		return r
	}
	p.dated = true
	return p.add(r, said(p.letter))
}

// sortDate is a date that sorts: years before our era first.
func sortDate(d Date) string {
	four := func(n, width int) string {
		s := itoa(n)
		return strings.Repeat("0", max(width-len(s), 0)) + s
	}
	return four(d.Year+100_000, 6) + four(d.Month, 2) + four(d.Day, 2)
}

// partsOf lists the parts of a date in their order.
func (p *printer) partsOf(e *element) (parts []datePart, delimiter string) {
	form := e.get("form")
	if form == "" {
		for _, k := range e.all("date-part") {
			parts = append(parts, partOf(k))
		}
		return parts, e.get("delimiter")
	}
	only := e.get("date-parts")
	wanted := func(name string) bool {
		return only == "" || strings.Contains(only, name)
	}
	// What the style says of a part of the language's form changes its look.
	change := map[string]*element{}
	for _, k := range e.all("date-part") {
		change[k.get("name")] = k
	}
	for _, own := range p.t.own {
		if own.get("form") == form {
			for _, k := range own.all("date-part") {
				if wanted(k.get("name")) {
					parts = append(parts, partOf(k))
				}
			}
			return changed(parts, change), own.get("delimiter")
		}
	}
	table := p.t.text
	if form == "numeric" {
		table = p.t.numeric
	}
	between := ""
	for i := 0; i < len(table); {
		k := i
		for k < len(table) && table[k] == table[i] {
			k++
		}
		word := k - i
		c := table[i]
		// A letter stands for a part unless letters stand beside it ("de").
		alone := (i == 0 || !isLetter(table[i-1])) && (k == len(table) || !isLetter(table[k]))
		if !alone && (p.t.lang == "zh" || p.t.lang == "ja") {
			alone = true
		}
		if !alone || strings.IndexByte("dmny", c) < 0 {
			between += table[i:k]
			i = k
			continue
		}
		part := datePart{}
		if n := len(parts); n > 0 {
			parts[n-1].after = between
		} else {
			part.before = between
		}
		between = ""
		switch c {
		case 'd':
			part.name, part.form = "day", "numeric"
		case 'm':
			part.name = "month"
		case 'n':
			part.name, part.form = "month", "numeric"
		case 'y':
			part.name = "year"
		}
		if word == 2 {
			part.form = "numeric-leading-zeros"
		}
		parts = append(parts, part)
		i = k
	}
	if between != "" && len(parts) > 0 {
		parts[len(parts)-1].after = between
	}
	kept := parts[:0]
	for _, part := range parts {
		if wanted(part.name) {
			kept = append(kept, part)
		}
	}
	if n := len(kept); n > 0 && n < len(parts) && p.t.lang != "zh" && p.t.lang != "ja" {
		kept[n-1].after = "" // it parted the last one from what is left out
	}
	return changed(kept, change), ""
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }

func partOf(k *element) datePart {
	return datePart{name: k.get("name"), form: k.get("form"), before: k.get("prefix"), after: k.get("suffix"), strip: k.get("strip-periods") == "true",
		textCase: k.get("text-case"), dash: k.get("range-delimiter"), e: k}
}

func changed(parts []datePart, by map[string]*element) []datePart {
	for i := range parts {
		if k := by[parts[i].name]; k != nil {
			if f := k.get("form"); f != "" {
				parts[i].form = f
			}
			parts[i].strip, parts[i].textCase, parts[i].e = k.get("strip-periods") == "true", k.get("text-case"), k
			if d := k.get("range-delimiter"); d != "" {
				parts[i].dash = d
			}
		}
	}
	return parts
}

// rangeOf writes a date, or a range of dates with what both have in common once.
func (p *printer) rangeOf(d Date, parts []datePart, delimiter, name string) rich {
	one := func(d Date, only func(part string) bool, trim bool) rich {
		var out []rich
		missing, ends := false, 0
		for i := range parts {
			part := &parts[i]
			if !only(part.name) {
				continue
			}
			text := p.datePart(d, part)
			if text == "" {
				missing = true
				continue
			}
			r := said(text)
			if part.e != nil {
				r = dress(part.e, r)
			}
			if part.name == "year" {
				r = p.suffixed(name, r)
			}
			before := part.before
			if len(out) == 0 && (missing || trim) {
				before = strings.TrimLeft(before, " ,./-")
			}
			if before != "" {
				r = p.add(said(before), r)
			}
			if part.after != "" {
				r = p.add(r, said(part.after))
			}
			out = append(out, r)
			ends = i
		}
		if n := len(out); n > 0 && ends < len(parts)-1 && parts[ends].after != "" && missing {
			last := out[n-1] // what follows it is not known
			k := len(last) - 1
			last[k].Text = strings.TrimRight(strings.TrimSuffix(last[k].Text, parts[ends].after)+strings.TrimRight(parts[ends].after, " ,./-"), " ")
		}
		return p.join(out, delimiter)
	}
	all := func(string) bool { return true }
	if d.EndYear == 0 {
		return one(d, all, false)
	}
	end := Date{Year: d.EndYear, Month: d.EndMonth, Day: d.EndDay}
	has := func(name string) bool {
		for i := range parts {
			if parts[i].name == name {
				return true
			}
		}
		return false
	}
	// The largest part that differs is the one the dash stands in.
	differs := ""
	switch {
	case d.Year != end.Year:
		differs = "year"
	case d.Month != end.Month && has("month"):
		differs = "month"
	case d.Day != end.Day && has("day"):
		differs = "day"
	default:
		return one(d, all, false)
	}
	dash := "–"
	for i := range parts {
		if parts[i].name == differs && parts[i].dash != "" {
			dash = parts[i].dash
		}
	}
	rank := map[string]int{"year": 3, "month": 2, "day": 1}
	ranged := func(part string) bool { return rank[part] <= rank[differs] }
	firstAt, lastAt := -1, -1
	for i := range parts {
		if ranged(parts[i].name) {
			if firstAt < 0 {
				firstAt = i
			}
			lastAt = i
		}
	}
	if firstAt < 0 {
		return one(d, all, false)
	}
	at := map[string]int{}
	for i := range parts {
		at[parts[i].name] = i
	}
	lead := one(d, func(n string) bool { return at[n] < firstAt }, false)
	saved := p.dated
	p.dated = true // the letter stands behind the last year alone
	from := withoutEnd(one(d, ranged, firstAt == 0), parts[lastAt].after)
	p.dated = saved
	to := one(end, ranged, true)
	tail := one(d, func(n string) bool { return at[n] > lastAt }, false)
	return p.join([]rich{lead, p.add(p.add(from, said(dash)), to), tail}, delimiter)
}

// withoutEnd takes what parts a date from what follows off it: a dash follows.
func withoutEnd(r rich, after string) rich {
	if n := len(r); n > 0 && after != "" && strings.Trim(after, " ,./-") == "" {
		r[n-1].Text = strings.TrimSuffix(r[n-1].Text, after)
	}
	return r
}

// datePart writes a part of a date, "" where the date does not have it.
func (p *printer) datePart(d Date, part *datePart) string {
	text := ""
	form := part.form
	zeros := func(n int) string {
		if n < 10 && form == "numeric-leading-zeros" {
			return "0" + itoa(n)
		}
		return itoa(n)
	}
	switch part.name {
	case "year":
		switch {
		case d.Year < 0:
			text = itoa(-d.Year) + "\u00a0" + p.t.term("bc", "", false)
		case d.Year < 1000 && p.t.term("ad", "", false) != "":
			text = itoa(d.Year) + "\u00a0" + p.t.term("ad", "", false)
		default:
			text = itoa(d.Year)
			if form == "short" && len(text) == 4 {
				text = text[2:]
			}
		}
	case "month":
		switch {
		case d.Month == 0 && d.Season > 0:
			text = p.t.term("season-0"+itoa(d.Season), "", false)
		case d.Month == 0:
			return ""
		case form == "numeric" || form == "numeric-leading-zeros":
			text = zeros(d.Month)
		default:
			text = p.t.term("month-"+zerosOf(d.Month), form, false)
		}
	case "day":
		if d.Day == 0 || d.Month == 0 {
			return ""
		}
		if form == "ordinal" {
			text = p.t.ordinal(d.Day)
		} else {
			text = zeros(d.Day)
		}
	}
	if part.strip {
		text = strings.ReplaceAll(text, ".", "")
	}
	if part.textCase != "" {
		text = letters(said(text), part.textCase, true).plain()
	}
	return text
}

func zerosOf(n int) string {
	if n < 10 {
		return "0" + itoa(n)
	}
	return itoa(n)
}
