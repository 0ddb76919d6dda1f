package webmcp

import "testing"

func TestReducedSchemaKeepsNamesSingleTypesAndDescriptions(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"description":"d"},"b":{"type":["integer","string"]},"c":{"type":"array","items":{"type":"string"}}},"required":["a"],"additionalProperties":false}`: `{"properties":{"a":{"description":"d","type":"integer"},"b":{},"c":{"type":"array"}},"type":"object"}`,
		`{"type":"object"}`: `{"properties":{},"type":"object"}`,
	} {
		got, err := reduced([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v", in, got, err)
		}
	}
	if _, err := reduced([]byte(`[]`)); err == nil {
		t.Error("a list is no schema")
	}
}
