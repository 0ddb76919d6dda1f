package main

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkSize tells what a first visit loads of each program, and of both.
func BenchmarkSize(b *testing.B) {
	dist := filepath.Join("..", "dist")
	if _, err := os.Stat(filepath.Join(dist, ".full")); err != nil {
		b.Fatal("web/dist is not compressed as it ships: run make bench, or make build first")
	}
	both := map[string]float64{}
	for _, program := range []string{"page", "worker"} {
		sizes := map[string]float64{}
		for metric, ending := range map[string]string{"plain-bytes": "", "brotli-bytes": ".br", "gzip-bytes": ".gz"} {
			files, err := filepath.Glob(filepath.Join(dist, "assets", program+"-*.wasm"+ending))
			if err != nil || len(files) != 1 {
				b.Fatalf("%d files of the %s's program that end in .wasm%s (%v)", len(files), program, ending, err)
			}
			info, err := os.Stat(files[0])
			if err != nil {
				b.Fatal(err)
			}
			sizes[metric] = float64(info.Size())
			both[metric] += sizes[metric]
		}
		report(b, program, sizes)
	}
	report(b, "both", both)
}

// report gives figures in place of a time.
func report(b *testing.B, name string, figures map[string]float64) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(0, "ns/op")
		for metric, v := range figures {
			b.ReportMetric(v, metric)
		}
	})
}
