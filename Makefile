# make run    build what is missing and serve the Sandbox on port 8080
# make test   everything that has to hold
# make build  bin/postext and web/dist as they ship, compressed as well as can be
# make bench  the benchmarks
# make gallery  sheets of the pictures of all cases, in gallery/
# make fmt    format, make lint: vet and look for what is not formatted

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

ADDR ?= 127.0.0.1:8080
BOOKS ?=

export PUPPETEER_SKIP_DOWNLOAD := 1
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1

npm := web/node_modules/.package-lock.json
site := web/dist/.stamp
full := web/dist/.full
gofiles := $(shell find . \( -path ./web/node_modules -o -path ./web/dist -o -path ./.git \) -prune -o -name '*.go' -print)
go := $(filter-out %_test.go ./e2e/%,$(gofiles))
embedded := $(shell find bridge book engine sandbox wasm cmd -type f ! -name '*.go' ! -path '*/testdata/*' ! -path 'cmd/postext/assets/fonts/*' ! -path 'cmd/postext/assets/books/*')
pages := $(shell find web/src web/books web/LICENSES.md -type f)

.PHONY: run build test lint fmt bench gallery chromium clean
.NOTPARALLEL:

run: bin/postext
	@echo "Open http://localhost:$(lastword $(subst :, ,$(ADDR)))/en/sandbox"
	bin/postext serve --addr $(ADDR) $(foreach b,$(BOOKS),--book $(b))

build: $(full) bin/postext

# The native program embeds the fonts and books that the site's build lays out.
bin/postext: $(site) $(go) $(embedded) go.mod go.sum
	go build -trimpath -o $@ ./cmd/postext

$(site): $(npm) $(go) $(embedded) $(pages) go.mod go.sum
	go run ./web/build -quick
	@rm -f $(full)
	@touch $@

$(full): $(npm) $(go) $(embedded) $(pages) go.mod go.sum
	go run ./web/build
	@touch $(site) $@

# npm ci would empty the folder that a link leads to.
$(npm): web/package.json web/package-lock.json
	@if [ -L web/node_modules ]; then rm web/node_modules; fi
	cd web && npm ci --no-audit --no-fund
	@touch $@

# A browser for the tests: Debian's, when none is there.
chromium:
	@if command -v chromium chromium-browser google-chrome >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; \
	else \
		echo "The tests drive a real browser: install Chromium first (as root: apt-get install chromium)." >&2; exit 1; \
	fi

lint: $(site)
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./wasm/... ./bridge/...
	@bad="$$(gofmt -l $(gofiles))"; if [ -n "$$bad" ]; then echo "not formatted (make fmt):" >&2; echo "$$bad" >&2; exit 1; fi
	cd web && npx --no-install tsc --noEmit

test: bin/postext chromium lint
	@{ ended=0; \
	go test -json -timeout 20m $$(go list ./... | grep -v -e /e2e$$ -e /bridge/webmcp$$) || ended=1; \
	go test -json -p 1 -timeout 30m ./bridge/webmcp ./e2e || ended=1; \
	exit $$ended; } | awk -f .ci/summary.awk

bench: $(full) bin/postext
	go test -run '^$$' -bench . -benchmem ./...

# Every rule's picture on sheets, a family to a sheet (engine/cases).
gallery: $(npm)
	go test -count=1 ./engine/cases -run 'TestGallery' -gallery $(CURDIR)/gallery
	@echo "See gallery/contact.png"

fmt:
	gofmt -w $(gofiles)

clean:
	rm -rf bin web/dist web/.cache
