package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
)

// MaxArguments is the most bytes of JSON the arguments of one call may have;
// files sent inside them (base64 text and data: addresses) do not count.
const MaxArguments = 24 << 20

// MaxWithFiles is the most bytes with the files in them: the largest file is a
// video of 200 MB, a third more in base64.
const MaxWithFiles = 300 << 20

// Checker says whether arguments fit a tool's schema. Check returns nil, or a
// Refusal that names every fault of the call; any other error is a bug. The
// implementation is package bridge/check; it is injected so that programs whose
// arguments are checked elsewhere (the worker's) do not link a schema library.
type Checker interface {
	Check(t Tool, args json.RawMessage) error
}

// Options sets up a Registry. The zero value works: no check, no log.
type Options struct {
	Checker Checker
	// Sound says that arguments are always JSON text that JSON.stringify wrote, in
	// UTF-8: only lone surrogates are looked for.
	Sound bool
	// Log is told what an "internal error <id>" hides: the tool, the error and,
	// after a panic, the stack.
	Log func(id, tool string, err error, stack []byte)
	// Absent may explain why a name that is not registered is missing ("it is
	// there while the Sandbox is on screen"); "" when it has nothing to say.
	Absent func(name string) string
	// Listing names the call that lists all tools, for those who asked for one that
	// there is not; "" when there is none.
	Listing string
}

// Registry holds tools by name, in the order they were added, and turns calls
// into answers. It is safe for concurrent use. It does not order calls: the
// session behind the tools does, since only it knows what a reader may see.
type Registry struct {
	opts  Options
	mu    sync.RWMutex
	order []string
	tools map[string]Tool
}

// NewRegistry makes an empty registry.
func NewRegistry(opts Options) *Registry {
	return &Registry{opts: opts, tools: map[string]Tool{}}
}

// ValidName reports whether a tool may bear this name: 1 to 128 of
// A-Z a-z 0-9 _ - . (webmcp-api.md 3).
func ValidName(name string) bool {
	if len(name) < 1 || len(name) > 128 {
		return false
	}
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}

// Add registers tools, all or none. It refuses a bad or taken name and a
// missing description.
func (r *Registry) Add(tools ...Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh := map[string]bool{}
	for _, t := range tools {
		_, taken := r.tools[t.Name]
		switch {
		case !ValidName(t.Name):
			return Refuse("%s cannot be a tool's name: give 1 to 128 of A-Z a-z 0-9 _ - .", Quote(t.Name))
		case taken || fresh[t.Name]:
			return Refuse("there is already a tool named %s", Quote(t.Name))
		case t.Description == "":
			return Refuse("the tool %s needs a description", t.Name)
		case t.Run == nil:
			return Refuse("the tool %s has nothing to run", t.Name)
		}
		fresh[t.Name] = true
	}
	for _, t := range tools {
		r.order = append(r.order, t.Name)
		r.tools[t.Name] = t
	}
	return nil
}

// Remove takes tools away; names that are not there are passed over. Calls
// under way go on.
func (r *Registry) Remove(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range names {
		delete(r.tools, n)
	}
	r.order = slices.DeleteFunc(r.order, func(n string) bool { _, ok := r.tools[n]; return !ok })
}

// Tools lists the tools in the order they were added.
func (r *Registry) Tools() []Tool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	list := make([]Tool, len(r.order))
	for i, n := range r.order {
		list[i] = r.tools[n]
	}
	return list
}

// Tool finds a tool by its exact name.
func (r *Registry) Tool(name string) (Tool, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	t, ok := r.tools[name]
	return t, ok
}

// Prepare does everything of a call but running it: it finds the tool, cleans
// the arguments (missing and null become {}, lone surrogates U+FFFD) and checks
// them. The error is a Refusal, or a bug.
func (r *Registry) Prepare(name string, args json.RawMessage) (Tool, json.RawMessage, error) {
	t, ok := r.Tool(name)
	if !ok {
		return Tool{}, nil, r.unknown(name)
	}
	args, err := cleanArguments(name, args, r.opts.Sound)
	if err != nil {
		return t, nil, err
	}
	if r.opts.Checker != nil {
		if err := r.opts.Checker.Check(t, args); err != nil {
			return t, nil, err
		}
	}
	return t, args, nil
}

// Call runs a tool and always answers: refusals, bugs and panics become
// {"ok":false,"error":…}. Ending ctx is the caller's: an answer given after
// that may be dropped.
func (r *Registry) Call(ctx context.Context, name string, args json.RawMessage) (answer Answer) {
	defer r.rescue(name, &answer)
	t, args, err := r.Prepare(name, args)
	if err != nil {
		return r.Fail(name, err, nil)
	}
	return r.Run(ctx, t, args)
}

// Run runs a tool on arguments that Prepare gave.
func (r *Registry) Run(ctx context.Context, t Tool, args json.RawMessage) (answer Answer) {
	defer r.rescue(t.Name, &answer)
	value, err := t.Run(ctx, args)
	if err != nil {
		if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			return Refused("the call of " + t.Name + " was cancelled by its caller")
		}
		return r.Fail(t.Name, err, nil)
	}
	answer, err = Succeed(value)
	if err != nil {
		return r.Fail(t.Name, err, nil)
	}
	return answer
}

// rescue is deferred: it turns a panic into an answer.
func (r *Registry) rescue(name string, answer *Answer) {
	if p := recover(); p != nil {
		*answer = r.Fail(name, fmt.Errorf("panic: %v", p), debug.Stack())
	}
}

// Fail shapes an error: the words of a Refusal, or for anything else
// "internal error <id>" with the log told what it was.
func (r *Registry) Fail(name string, err error, stack []byte) Answer {
	var no *Refusal
	if errors.As(err, &no) {
		return Refused(no.Message)
	}
	id := fmt.Sprintf("%08x", rand.Uint32())
	if r.opts.Log != nil {
		r.opts.Log(id, name, err, stack)
	}
	return Refused("internal error " + id)
}

// unknown names the nearest tools there are.
func (r *Registry) unknown(name string) error {
	if r.opts.Absent != nil {
		if why := r.opts.Absent(name); why != "" {
			return Refuse("%s", why)
		}
	}
	r.mu.RLock()
	names := Nearest(name, r.order)
	r.mu.RUnlock()
	if len(names) == 0 {
		return Refuse("there is no tool %s; no tool is registered here at the moment", Quote(name))
	}
	missing := "there is no tool " + Quote(name)
	if near, ok := Closest(name, names); ok {
		missing += ": did you mean " + near + "?"
	}
	return Refuse("%s The tools are %s", Sentences([]string{missing}), Choices(names, r.opts.Listing))
}

// cleanArguments makes the arguments one well-formed JSON object within the
// limits, or refuses them.
func cleanArguments(name string, args json.RawMessage, sound bool) (json.RawMessage, error) {
	args = bytes.TrimSpace(args)
	if len(args) == 0 || string(args) == "null" {
		return json.RawMessage("{}"), nil
	}
	if len(args) > MaxArguments {
		if own := len(args) - embeddedFiles(args); own > MaxArguments || len(args) > MaxWithFiles {
			return nil, Refuse("the arguments of %s are %.1f MB; a call may have 24 MB, files apart (and %d MB with them)",
				name, float64(len(args))/(1<<20), MaxWithFiles>>20)
		}
	}
	if sound {
		args = withoutLoneSurrogates(args)
	} else {
		args = WellFormedJSON(args)
	}
	if args[0] != '{' {
		return nil, Refuse("the arguments of %s must be an object such as {\"name\": value}, not %s", name, kindOf(args))
	}
	return args, nil
}

// kindOf says in plain words what a JSON text is, by its first character.
func kindOf(text []byte) string {
	switch text[0] {
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return "a number"
	}
	return "something that is no JSON"
}

// embeddedFiles counts the bytes of the strings that carry files.
func embeddedFiles(text []byte) int {
	total := 0
	eachFile(text, func(start, end int) { total += end - start })
	return total
}

// eachFile finds the strings that carry files: the values of "base64", and of
// "url" when it is a data: address. It gives the bounds of their contents.
func eachFile(text []byte, found func(start, end int)) {
	key := ""
	for i := 0; i < len(text); {
		if text[i] != '"' {
			if text[i] == ',' || text[i] == '{' || text[i] == '[' {
				key = ""
			}
			i++
			continue
		}
		end := stringEnd(text, i)
		start, stop := i+1, max(i+1, end-1)
		next := end
		for next < len(text) && (text[next] == ' ' || text[next] == '\n' || text[next] == '\t' || text[next] == '\r') {
			next++
		}
		switch {
		case next < len(text) && text[next] == ':':
			key = ""
			if stop-start <= 8 {
				key = string(text[start:stop])
			}
		case key == "base64", key == "url" && bytes.HasPrefix(text[start:stop], []byte("data:")):
			found(start, stop)
		}
		i = next
	}
}
