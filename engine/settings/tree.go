package settings

import "encoding/json"

// Tree is a stored configuration in canonical form. It is immutable; a nil Tree
// is empty.
type Tree struct {
	root *node
	text []byte
}

// Empty is the configuration of an untouched book.
var Empty = &Tree{root: &node{kind: object}, text: []byte("{}")}

// Parse reads a stored configuration, a JSON object (empty text counts as {}),
// and brings it into canonical form. What the table does not know stays.
func Parse(data []byte) (*Tree, error) {
	if len(data) == 0 {
		return Empty, nil
	}
	n, err := parseNode(data)
	if err != nil {
		return nil, err
	}
	if n.kind == null {
		return Empty, nil
	}
	if n.kind != object {
		return nil, Faults{{Path: "", Message: "A configuration is a JSON object: { … }."}}
	}
	return newTree(canonical(modern(n))), nil
}

func newTree(root *node) *Tree {
	if root == nil {
		return Empty
	}
	return &Tree{root: root, text: root.marshal(nil)}
}

func (t *Tree) node() *node {
	if t == nil {
		return Empty.root
	}
	return t.root
}

// Marshal returns the canonical text. The caller must not change it.
func (t *Tree) Marshal() json.RawMessage {
	if t == nil {
		return Empty.text
	}
	return t.text
}
