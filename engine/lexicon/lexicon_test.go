package lexicon

import (
	"fmt"
	"strings"
	"testing"
)

// TestTable keeps words of all lengths apart, through growth.
func TestTable(t *testing.T) {
	var tab Table[int]
	if _, ok := tab.Get(""); ok {
		t.Error("an empty table has a word")
	}
	ref := map[string]int{}
	add := func(w string) {
		if _, ok := ref[w]; !ok {
			tab.Add(w, len(ref))
			ref[w] = len(ref)
		}
	}
	for n := range 40 {
		add(strings.Repeat("a", n))
		add(strings.Repeat("a", n) + "b")
		add("b" + strings.Repeat("a", n))
		add(strings.Repeat("é\x00", n))
	}
	for i := range 20000 {
		add(fmt.Sprint("word", i))
		add(fmt.Sprint(i, "-", i%7, " longer than eight bytes"))
	}
	if tab.Len() != len(ref) {
		t.Fatalf("%d words, want %d", tab.Len(), len(ref))
	}
	for w, v := range ref {
		if got, ok := tab.Get(w); !ok || got != v {
			t.Fatalf("%q: %d %v, want %d", w, got, ok, v)
		}
		if _, ok := tab.Get(w + "?"); ok {
			t.Fatalf("%q: a word never added is there", w+"?")
		}
	}
}

// TestHashSpreads: words alike but for a letter do not crowd together.
func TestHashSpreads(t *testing.T) {
	const n = 1 << 15
	seen := map[uint32]int{}
	worst := 0
	for i := range n {
		h := hash(1, fmt.Sprintf("w%05d", i)) & (2*n - 1)
		seen[h]++
		worst = max(worst, seen[h])
	}
	if len(seen) < n*7/10 || worst > 12 {
		t.Errorf("%d words fall on %d slots, %d on one", n, len(seen), worst)
	}
}

func BenchmarkGet(b *testing.B) {
	words := make([]string, 20000)
	var tab Table[int]
	m := map[string]int{}
	for i := range words {
		words[i] = fmt.Sprintf("%xword", i*7919)
		tab.Add(words[i], i)
		m[words[i]] = i
	}
	b.Run("table", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			tab.Get(words[i*31%len(words)])
		}
	})
	b.Run("map", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_ = m[words[i*31%len(words)]]
		}
	})
}
