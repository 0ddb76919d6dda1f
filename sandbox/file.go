package sandbox

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"postext/bridge"
)

// check refuses a file argument that names no file, or more than one.
func (f fileArgs) check(name string) error {
	if (f.URL == "") == (f.Base64 == "") {
		return bridge.Refuse("%s is {\"url\": \"https:…\" or \"data:…\"} or {\"base64\": \"…\"}, one of the two", name)
	}
	if f.URL == "" {
		return nil
	}
	scheme, _, ok := strings.Cut(f.URL, ":")
	switch scheme = strings.ToLower(scheme); {
	case ok && (scheme == "data" || scheme == "https"):
		return nil
	case !ok:
		return bridge.Refuse("%s.url must be an address that begins with \"https:\" or \"data:\", not %s", name, bridge.Quote(f.URL))
	}
	return bridge.Refuse("%s.url must begin with \"https:\" or \"data:\", not %s", name, bridge.Quote(scheme+":"))
}

// fetchFile brings the bytes of a file argument (tools.md 1, Files).
func (s *Session) fetchFile(ctx context.Context, name string, f fileArgs, limit int) ([]byte, error) {
	if err := f.check(name); err != nil {
		return nil, err
	}
	tooLong := func(n int) error {
		return bridge.Refuse("%s is %.1f MB; at most %d MB are taken", name, float64(n)/(1<<20), limit>>20)
	}
	if f.Base64 != "" {
		return decodeBase64(name, f.Base64, limit, tooLong)
	}
	scheme, rest, _ := strings.Cut(f.URL, ":")
	if strings.EqualFold(scheme, "data") {
		head, body, comma := strings.Cut(rest, ",")
		if !comma {
			return nil, bridge.Refuse("%s.url is no data: address: it has no comma", name)
		}
		if strings.HasSuffix(strings.TrimSpace(strings.ToLower(head)), ";base64") {
			return decodeBase64(name, body, limit, tooLong)
		}
		text, ok := unescape(body)
		if !ok {
			return nil, bridge.Refuse("%s.url is no data: address: a %% must be followed by two hexadecimal digits", name)
		}
		if len(text) > limit {
			return nil, tooLong(len(text))
		}
		return []byte(text), nil
	}
	if s.opts.Fetch == nil {
		return nil, bridge.Refuse("nothing is downloaded here: give %s as a data: address or as base64", name)
	}
	data, err := s.opts.Fetch(ctx, f.URL, limit)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, bridge.Refuse("%s could not be downloaded from %s (%v). Its server must allow this page to read it (CORS); a data: address or base64 always works", name, bridge.Quote(f.URL), err)
	}
	if len(data) > limit {
		return nil, tooLong(len(data))
	}
	return data, nil
}

// decodeBase64 reads base64 with or without padding, line ends, and in the
// alphabet of addresses.
func decodeBase64(name, text string, limit int, tooLong func(int) error) ([]byte, error) {
	if n := base64.RawStdEncoding.DecodedLen(len(text)); n > limit+limit/8+64 {
		return nil, tooLong(n)
	}
	text = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\n', '\r', '\t', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, bridge.Refuse("the base64 of %s cannot be read: %v", name, err)
	}
	if len(data) > limit {
		return nil, tooLong(len(data))
	}
	return data, nil
}

// unescape reads the %XX escapes of an address.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		b, err := hex.DecodeString(s[i+1 : i+3])
		if err != nil {
			return "", false
		}
		out = append(out, b[0])
		i += 2
	}
	return string(out), true
}
