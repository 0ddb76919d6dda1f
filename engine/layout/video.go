package layout

import (
	"fmt"
	"image/color"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/boombuler/barcode/qr"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/picture"
	"postext/engine/settings"
	"postext/engine/unit"
)

// Videos in print (document-format.md 14, settings.md 29): the poster with a play
// mark, and a QR code that leads to the film.

// videoAddress is the address a reader of the print is led to, from the second the
// film starts at; problem names the warning where there is none.
func videoAddress(v *book.Video) (address, problem string) {
	if v == nil || v.URL == "" && v.Source == "file" {
		return "", "videoWithoutUrl"
	}
	start := ""
	if v.Start >= 1 && v.Start < 1e7 {
		start = strconv.Itoa(int(v.Start))
	}
	switch v.Source {
	case "youtube":
		id := youtubeID(v.URL)
		if id == "" {
			return "", "videoUrlInvalid"
		}
		if start != "" {
			start = "?t=" + start
		}
		return "https://youtu.be/" + id + start, ""
	case "vimeo":
		id := vimeoID(v.URL)
		if id == "" {
			return "", "videoUrlInvalid"
		}
		if start != "" {
			start = "#t=" + start + "s"
		}
		return "https://vimeo.com/" + id + start, ""
	}
	if u, err := url.Parse(v.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", "videoUrlInvalid"
	}
	return v.URL, ""
}

// pathOf splits a video's address; the scheme may be missing.
func pathOf(address string) (host string, steps []string, query url.Values) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "", nil, nil
	}
	host = strings.ToLower(u.Hostname())
	for _, p := range []string{"www.", "m."} {
		host = strings.TrimPrefix(host, p)
	}
	return host, strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' }), u.Query()
}

// youtubeID finds the film in the addresses YouTube writes.
func youtubeID(address string) string {
	host, steps, query := pathOf(address)
	id := ""
	switch {
	case host == "youtu.be" && len(steps) > 0:
		id = steps[0]
	case host != "youtube.com" && host != "youtube-nocookie.com" && host != "music.youtube.com":
	case len(steps) == 1 && steps[0] == "watch":
		id = query.Get("v")
	case len(steps) == 2 && (steps[0] == "embed" || steps[0] == "shorts" || steps[0] == "live" || steps[0] == "v"):
		id = steps[1]
	}
	if len(id) != 11 || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return ""
	}
	return id
}

// vimeoID finds the film in the addresses Vimeo writes, with the key of an
// unlisted one.
func vimeoID(address string) string {
	host, steps, query := pathOf(address)
	if host != "vimeo.com" && host != "player.vimeo.com" {
		return ""
	}
	for i, s := range steps {
		if s == "" || strings.Trim(s, "0123456789") != "" {
			continue
		}
		key := query.Get("h")
		if i+1 < len(steps) {
			key = steps[i+1]
		}
		if key != "" && strings.Trim(key, "0123456789abcdef") == "" {
			return s + "/" + key
		}
		return s
	}
	return ""
}

// checkVideo reports a video that print cannot lead to.
func (j *job) checkVideo(s *figureSpec, r *book.Resource) {
	var problem string
	s.address, problem = videoAddress(r.Video)
	switch problem {
	case "videoWithoutUrl":
		j.figureProblem(problem, r.ID, "#"+r.ID+" has no address: print has neither a QR code nor a link", s.start, s.end)
	case "videoUrlInvalid":
		j.figureProblem(problem, r.ID, "#"+r.ID+" · "+r.Video.URL, s.start, s.end, frame.Field{Key: "url", Value: r.Video.URL})
	}
}

// videoMarks are the play mark and the QR code on a poster of a size, from its
// corner.
func (j *job) videoMarks(s *figureSpec, w, h unit.Sp) []frame.Item {
	v := &j.d.Figures.Video
	j.flow.posters = true
	var out []frame.Item
	put := func(id, alt, svg string, size unit.Sp, edge string, inset unit.Sp) {
		if p, err := picture.Open([]byte(svg), picture.Options{}); err == nil && size > 0 {
			hx, vy := edgeOf(edge)
			at := unit.Rect{X: inset + (w-2*inset-size)*hx/2, Y: inset + (h-2*inset-size)*vy/2, W: size, H: size}
			out = append(out, frame.Item{ID: id, Box: at, Image: s.id, Picture: p, Plain: alt})
		}
	}
	side := min(w, h)
	if m := &v.Play; m.Enabled {
		put("playMark", "", playMark(m), min(m.Size, share(side, 400)), m.Edge, min(m.Inset, side/4))
	}
	if q := &v.QR; q.Enabled && s.address != "" {
		size := min(q.Size, share(side, 450))
		if svg := qrCode(s.address, q, size); svg != "" {
			put("qr", s.address, svg, size, q.Edge, min(q.Inset, side/4))
		}
	}
	return out
}

func hex(c unit.Color) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// playMark draws a play sign on its ground.
func playMark(m *settings.PlayMark) string {
	ground := fmt.Sprintf(`fill="%s" fill-opacity="%s"`, hex(m.Ground), strconv.FormatFloat(float64(m.Opacity)*float64(m.Ground.A)/255, 'f', 3, 64))
	sign := `<path d="M40 30L72 50L40 70Z" fill="` + hex(m.Color) + `"/>`
	switch m.Shape {
	case "rounded":
		ground = `<rect y="15" width="100" height="70" rx="14" ` + ground + `/>`
	case "triangle":
		ground, sign = "", `<path d="M14 4L96 50L14 96Z" fill="`+hex(m.Color)+`"/>`
	default:
		ground = `<circle cx="50" cy="50" r="50" ` + ground + `/>`
	}
	return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">` + ground + sign + `</svg>`
}

// qrCode draws the QR code of an address; "" when it is too long for one. Modules
// in a row are one bar, so that no seam shows between them.
func qrCode(address string, q *settings.QRCode, size unit.Sp) string {
	levels := map[string]qr.ErrorCorrectionLevel{"L": qr.L, "Q": qr.Q, "H": qr.H}
	level, ok := levels[q.Correction]
	if !ok {
		level = qr.M
	}
	code, err := qr.Encode(address, level, qr.Auto)
	if err != nil {
		return ""
	}
	dark := func(x, y int) bool { return code.At(x, y) == color.Black }
	n, quiet := code.Bounds().Dx(), q.Quiet
	all := n + 2*quiet
	radius := 0.0
	if size > 0 {
		radius = math.Min(float64(q.Radius)*float64(all)/float64(size), float64(all)/2)
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d"><rect width="%d" height="%d" rx="%.3f" fill="%s"/><path fill="%s" d="`,
		all, all, all, all, all, all, radius, hex(q.Ground), hex(q.Color))
	for y := range n {
		for x := 0; x < n; x++ {
			from := x
			for x < n && dark(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&s, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	s.WriteString(`"/></svg>`)
	return s.String()
}
