package settings

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// listsOf are the lists of items of the table.
func listsOf() (out []*Setting) {
	for _, s := range schema().all {
		if s.Type == Items {
			out = append(out, s)
		}
	}
	return out
}

// itemChange is a random change of a list as a whole or of one of its items: made,
// removed, replaced, renamed, written to by key or by index.
func itemChange(r *rand.Rand, tree *Tree, list *Setting) (Change, bool) {
	at := concrete(r, tree, list)
	if at == "" {
		return Change{}, false
	}
	v := newView(tree.node(), Env{})
	var keys []string
	if p, ok := locate(at); ok {
		keys = p.keys()
	}
	there, _ := v.items(list, keys)
	key := "#" + strconv.Itoa(r.IntN(3))
	switch {
	case list.Key == "level":
		key = strconv.Itoa(1 + r.IntN(5))
	case len(there) > 0 && r.IntN(3) > 0:
		key = there[r.IntN(len(there))]
	case list.Key != "":
		key = []string{"new", "other", "a b", "x.y"}[r.IntN(4)]
	}
	if r.IntN(5) == 0 && len(there) > 0 {
		key = "#" + strconv.Itoa(r.IntN(len(there)))
	}
	item := at + itemSelector(list, key)
	field := func() (*Setting, string) {
		var leaves []*Setting
		for _, k := range list.children {
			if k.Leaf() && !itemKey(k.Path) && k.name != list.Key {
				leaves = append(leaves, k)
			}
		}
		if len(leaves) == 0 {
			return nil, ""
		}
		k := leaves[r.IntN(len(leaves))]
		return k, sample(r, k)
	}
	object := func(n int) string {
		var fields []string
		switch list.Key {
		case "level":
			fields = append(fields, `"level":`+strconv.Itoa(n))
		case "":
		default:
			fields = append(fields, fmt.Sprintf("%q:%q", list.Key, fmt.Sprint("i", n)))
		}
		if at := list.kids["kind"]; at != nil {
			fields = append(fields, `"kind":"text"`)
		}
		if k, value := field(); k != nil && k.name != "kind" {
			fields = append(fields, fmt.Sprintf("%q:%s", k.name, value))
		}
		return "{" + strings.Join(fields, ",") + "}"
	}
	switch r.IntN(7) {
	case 0:
		return Change{item, []byte("null")}, true
	case 1:
		return Change{item, []byte("{}")}, true
	case 2:
		n := 1 + r.IntN(5)
		if list.Key == "level" {
			n, _ = strconv.Atoi(key)
		}
		return Change{item, []byte(object(n))}, true
	case 3:
		var items []string
		for n := range r.IntN(4) {
			items = append(items, object(n+1))
		}
		return Change{at, []byte("[" + strings.Join(items, ",") + "]")}, true
	case 4:
		if list.Key == "id" || list.Key == "name" {
			return Change{item + "." + list.Key, []byte(`"renamed"`)}, true
		}
	}
	k, value := field()
	if k == nil {
		return Change{}, false
	}
	if r.IntN(4) == 0 {
		value = "null"
	}
	return Change{item + "." + k.name, []byte(value)}, true
}

// Sending back what a change tells as from restores the stored configuration byte for
// byte: for items of every list of the table, made, removed, renamed and replaced, alone
// and several at once, also of the palette, whose removal writes to other settings.
func TestItemsOfEveryListAreTakenBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	lists := listsOf()
	for i, list := range lists {
		taken := 0
		for try := 0; taken < 3; try++ {
			if try == 60 {
				t.Errorf("of %s %d changes were taken", list.Path, taken)
				break
			}
			tree := mustParse(t, testBases[r.IntN(len(testBases))])
			var changes []Change
			for range 1 + r.IntN(3) {
				if c, ok := itemChange(r, tree, list); ok {
					changes = append(changes, c)
				}
			}
			if taken == 2 { // together with another list's, and a leaf anywhere
				if c, ok := itemChange(r, tree, lists[(i+try)%len(lists)]); ok {
					changes = append(changes, c)
				}
				s := All()[r.IntN(len(All()))]
				if path := concrete(r, tree, s); path != "" && !itemKey(s.Path) {
					changes = append(changes, Change{path, []byte(sample(r, s))})
				}
			}
			if len(changes) == 0 {
				continue
			}
			o, err := tree.Apply(Env{}, changes)
			if err != nil {
				continue // such as fields of an item removed before
			}
			undo(t, o, tree)
			taken++
		}
	}
}

// The same of whole configurations: merged into one and put in its place.
func TestPatchesAndReplacementsAreTakenBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	all := All()
	for range 20 {
		tree := mustParse(t, testBases[r.IntN(len(testBases))])
		other := mustParse(t, testBases[r.IntN(len(testBases))])
		for range r.IntN(6) {
			s := all[r.IntN(len(all))]
			if path := concrete(r, other, s); path != "" && !itemKey(s.Path) {
				if o, err := other.Apply(Env{}, []Change{{path, []byte(sample(r, s))}}); err == nil {
					other = o.Tree
				}
			}
		}
		for _, apply := range []func(Env, []byte) (*Outcome, error){
			func(e Env, b []byte) (*Outcome, error) { return tree.Patch(e, b) },
			func(e Env, b []byte) (*Outcome, error) { return tree.Replace(e, b) },
		} {
			if o, err := apply(Env{}, other.Marshal()); err == nil {
				undo(t, o, tree)
			}
		}
	}
}

// Only what says more than its absence is stored: after any change no stored value
// equals a fixed default, but for those whose default is inherited.
func TestOnlyValuesOtherThanTheDefaultAreStored(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, s := range All() {
		if s.def == nil || itemKey(s.Path) {
			continue
		}
		tree := mustParse(t, testBases[1])
		path := concrete(r, tree, s)
		if path == "" {
			continue
		}
		p, _ := locate(path)
		def := s.defaultAt(p.keys())
		if def == nil {
			continue
		}
		root := tree.node()
		for _, value := range []string{sample(r, s), string(def.marshal(nil))} {
			n, err := parseNode([]byte(value))
			if err != nil {
				t.Fatal(err)
			}
			e := newEditor(root, Env{})
			v := e.checkAt(&edit{p: p, path: path, value: n})
			if root = e.put(root, p, path, v); len(e.faults) > 0 {
				t.Errorf("%s = %s: %v", path, value, e.faults)
			}
		}
		stored := literalAt(root, p).raw()
		if string(stored) != "null" && !s.keep && s.parent.presence == nil {
			t.Errorf("%s stores its default %s", path, stored)
		}
	}
}
