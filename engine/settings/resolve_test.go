package settings

import "testing"

func TestDefaults(t *testing.T) {
	d, err := Resolve(nil, Env{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", d)
}
func BenchmarkResolve(b *testing.B) {
	for b.Loop() {
		if _, err := Resolve(nil, Env{}); err != nil {
			b.Fatal(err)
		}
	}
}
