package settings

import "strings"

// distance is the number of letters to insert, delete, change or swap with the
// neighbour to make a out of b, given up beyond limit (limit+1 is returned).
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	var rows [3][72]int
	if len(b) >= len(rows[0]) || len(a) >= len(rows[0]) {
		if a == b {
			return 0
		}
		return limit + 1
	}
	prev2, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
			best = min(best, d)
		}
		if best > limit {
			return limit + 1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

// nearestWord returns the word most like s, "" when none is close.
func nearestWord(s string, words []string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	best, found := 3, ""
	if s == "" {
		return ""
	}
	for _, w := range words {
		l := strings.ToLower(w)
		if strings.HasPrefix(l, s) && len(s) > 2 || len(s) > 6 && len(l) > 5 && strings.HasPrefix(s, l[:6]) {
			return w
		}
		limit := min(2, len(s)/2)
		if d := distance(s, l, limit); d <= limit && d < best {
			best, found = d, w
		}
	}
	return found
}
