package markup

// blockCases check the rules of blocks, notes and attributes, each under the
// section of document-format.md it comes from.
var blockCases = []ruleCase{
	{"2.2 fence: text after the name makes a paragraph",
		":::callout Watch out\n",
		"p :::callout Watch out"},
	{"2.2 a paragraph is not interrupted by an ordered item",
		"In the year\n1986. What a year\n",
		"p In the year 1986. What a year"},
	{"2.2 a bullet interrupts a paragraph however far it is indented",
		"text\n      - a\n",
		"p text\n" +
			"list\n" +
			" item\n" +
			"  p a"},
	{"2.2 a note definition interrupts a paragraph",
		"text[^a]\n[^a]: note\nmore of it\n",
		"p text<note #a>\n" +
			"note a\n" +
			" p note more of it"},
	{"2.2 a fence line interrupts a paragraph",
		"text\n:::pagebreak\nmore\n",
		"p text\n" +
			"directive pagebreak\n" +
			"p more"},
	{"2.2 an unknown fence line interrupts a paragraph",
		"text\n:::other\n",
		"p text\n" +
			"p :::other"},
	{"2.2 indentation does not matter for headings, quotes, fences",
		"    # Title\n\n     > quote\n\n    :::space{lines=2}\n",
		"h1 Title\n" +
			"quote\n" +
			" p quote\n" +
			"directive space {lines=2}"},
	{"3 values: quotes of four kinds and bare",
		":::callout{a=\"x y\" b='u v' c=“p q” d=「r s」 e=bare f}\n:::\n",
		"container callout {a=x y} {b=u v} {c=p q} {d=r s} {e=bare} {f}"},
	{"3 a repeated key keeps its last value, spaces around =, full-width =",
		":::callout{a=1 a = 2 b＝3}\n:::\n",
		"container callout {a=1} {a=2} {b=3}"},
	{"3 no escapes in values",
		":::callout{title=\"a\\\" b=\"c\"}\n:::\n",
		"container callout {title=a\\} {b=c} caption: a\\"},
	{"3 the first brace ends the block",
		":::callout{a=\"}\"}\n",
		"p :::callout{a=\"}\"}"},
	{"3 shorthand #name",
		":::callout{#box type=tip}\n:::\n",
		"container callout #box {id=box} {type=tip}"},
	{"3 bare value up to white space",
		"# A {title=Deep water}\n",
		"h1 {title=Deep} {water} A"},
	{"3 lenient: what is no token is passed over",
		":::callout{.class , type=tip ! }\n:::\n",
		"container callout {type=tip}"},
	{"4.1 one to six marks and a space",
		"###### a\n\n####### b\n\n#c\n",
		"h6 a\n" +
			"p ####### b\n" +
			"p #c"},
	{"4.1 trailing marks belong to the title",
		"## a ##\n",
		"h2 a ##"},
	{"4.1 attributes after a space",
		"# Winter {#w keeper=\"Rosa\" hidden}\n",
		"h1 #w {id=w} {keeper=Rosa} {hidden} Winter"},
	{"4.1 attributes glued to a Chinese title",
		"# 序章{style=front}\n\n# Title{style=front}\n",
		"h1 {style=front} 序章\n" +
			"h1 Title{style=front}"},
	{"4.1 braces that stay in the title",
		"# a {}\n\n# b {a, b}\n\n# c {.class}\n\n# d {x=\"{\"}\n\n# 序{flag}\n\n# e {x=\"a\"b=c}\n",
		"h1 a {}\n" +
			"h1 b {a, b}\n" +
			"h1 c {.class}\n" +
			"h1 d {x=\"{\"}\n" +
			"h1 序{flag}\n" +
			"h1 {x=a} {b=c} e"},
	{"4.1 a forced break in a title",
		"# The Hive \\\\ in Summer\n",
		"h1 The Hive<br>in Summer"},
	{"4.1 the title takes inline marks",
		"# *a* **b** :smallcaps[c] $d$ [e](f)\n",
		"h1 <i a> <b b> <sc c> <math d> <link=f e>"},
	{"4.4 one block, one space after the mark removed",
		"> a\n>b\n>   c\n",
		"quote\n" +
			" p a b c"},
	{"4.4 no lazy continuation",
		"> a\nb\n",
		"quote\n" +
			" p a\n" +
			"p b"},
	{"4.5 markers",
		"- a\n\n* b\n\n\n+ c\n\n\n1. d\n\n\n2) e\n",
		"list loose\n" +
			" item\n" +
			"  p a\n" +
			" item\n" +
			"  p b\n" +
			"list\n" +
			" item\n" +
			"  p c\n" +
			"list 1\n" +
			" item\n" +
			"  p d\n" +
			"list 2\n" +
			" item\n" +
			"  p e"},
	{"4.5 task items",
		"- [ ] a\n- [x] b\n- [X] c\n- [*] d\n- [-] e\n",
		"list\n" +
			" item task=false\n" +
			"  p a\n" +
			" item task=true\n" +
			"  p b\n" +
			" item task=true\n" +
			"  p c\n" +
			" item\n" +
			"  p [*] d\n" +
			" item\n" +
			"  p [-] e"},
	{"4.5 one item is one source line",
		"- a\nb\n",
		"list\n" +
			" item\n" +
			"  p a\n" +
			"p b"},
	{"4.5 one blank line is tolerated, two end the list",
		"- a\n\n- b\n\n\n- c\n",
		"list loose\n" +
			" item\n" +
			"  p a\n" +
			" item\n" +
			"  p b\n" +
			"list\n" +
			" item\n" +
			"  p c"},
	{"4.5 nesting: two columns past the marker",
		"- a\n  - b\n - c\n1. d\n  - e\n",
		"list\n" +
			" item\n" +
			"  p a\n" +
			"  list\n" +
			"   item\n" +
			"    p b\n" +
			" item\n" +
			"  p c\n" +
			"list 1\n" +
			" item\n" +
			"  p d\n" +
			"  list\n" +
			"   item\n" +
			"    p e"},
	{"4.5 a level is never skipped",
		"- a\n        - b\n    - c\n",
		"list\n" +
			" item\n" +
			"  p a\n" +
			"  list\n" +
			"   item\n" +
			"    p b\n" +
			"   item\n" +
			"    p c"},
	{"4.5 the first item opens level 1 however far it is indented",
		"      - a\n      - b\n",
		"list\n" +
			" item\n" +
			"  p a\n" +
			" item\n" +
			"  p b"},
	{"4.5 a tab reaches the next multiple of four",
		"- a\n\t- b\n",
		"list\n" +
			" item\n" +
			"  p a\n" +
			"  list\n" +
			"   item\n" +
			"    p b"},
	{"4.5 the first number is the start",
		"0. a\n7. b\n\n\n5) c\n",
		"list 0\n" +
			" item\n" +
			"  p a\n" +
			" item\n" +
			"  p b\n" +
			"list 5\n" +
			" item\n" +
			"  p c"},
	{"4.5 a change of kind breaks a run",
		"1. a\n- b\n2. c\n",
		"list 1\n" +
			" item\n" +
			"  p a\n" +
			"list\n" +
			" item\n" +
			"  p b\n" +
			"list 2\n" +
			" item\n" +
			"  p c"},
	{"4.6 info string with braces",
		"```python {title=\"hives.py\" lineNumbers start=10}\nx\n```\n",
		"code python {title=hives.py} {lineNumbers} {start=10} \"x\""},
	{"4.6 info string with bare attributes",
		"```python start=10 lineNumbers\nx\n```\n",
		"code python {start=10} {lineNumbers} \"x\""},
	{"4.6 info string that is a title",
		"```console Terminal\nx\n```\n",
		"code console {title=Terminal} \"x\""},
	{"4.6 verbatim",
		"~~~\n :::callout\n# a *b* $c$\n\n\t[^d]\n~~~\n",
		"code \" :::callout\\n# a *b* $c$\\n\\n\\t[^d]\""},
	{"4.6 the closing fence is as long as the opening one",
		"````\n```\n````\n",
		"code \"```\""},
	{"4.6 a backtick in the info string makes text",
		"``` a`b\n",
		"p ``` a`b"},
	{"4.6 a fence ends the paragraph and the list",
		"a\n```\nb\n```\nc\n\n- d\n```\ne\n```\n",
		"p a\n" +
			"code \"b\"\n" +
			"p c\n" +
			"list\n" +
			" item\n" +
			"  p d\n" +
			"code \"e\""},
	{"4.7 a display interrupts a paragraph, which goes on",
		"The sugar grows as\n$$m(t)$$\nwhere $k$ depends.\n\nnew\n",
		"p The sugar grows as\n" +
			"formula \"m(t)\"\n" +
			"p after where <math k> depends.\n" +
			"p new"},
	{"4.7 a display set off by a blank line interrupts nothing",
		"a\n\n$$b$$\nc\n",
		"p a\n" +
			"formula \"b\"\n" +
			"p c"},
	{"4.7 a fence of TeX lines",
		"$$\na\nb\n$$\n",
		"formula \"a\\nb\""},
	{"4.7 two formulas on a line are text",
		"$$a$$ and $$b$$\n",
		"p $$a$$ and $$b$$"},
	{"4.7 an open fence under a paragraph stays text",
		"a\n$$\nb\n\nc\n",
		"p a $$ b\n" +
			"p c"},
	{"4.7 a label names the formula",
		"$$a \\label{eq:x}$$\n",
		"formula #eq:x \"a \\\\label{eq:x}\""},
	{"4.8 verse",
		":::verse{keepStanzas=4}\nThe queen is *late*,\n  the drones;\n\n\n\u3000come\n+ and on\n:::\n",
		"raw verse {keepStanzas=4}\n" +
			" stanza\n" +
			"  p The queen is <i late>,\n" +
			"  p indent=2 the drones;\n" +
			" stanza\n" +
			"  p indent=2 come\n" +
			"  p {shared} and on"},
	{"5 directives",
		":::pagebreak{parity=odd}\n:::columnbreak\n:::space{lines=1.5}\n:::numbering{format=lower-roman startAt=1}\n:::toc\n:::index{index=\"people\"}\n:::bibliography{title=\"\"}\n",
		"directive pagebreak {parity=odd}\n" +
			"directive columnbreak\n" +
			"directive space {lines=1.5}\n" +
			"directive numbering {format=lower-roman} {startAt=1}\n" +
			"directive toc\n" +
			"directive index {index=people}\n" +
			"directive bibliography {title=}"},
	{"6 containers nest and need no blank lines",
		":::callout{type=tip}\na\n:::columns\n- b\n:::\nc\n:::\nd\n",
		"container callout {type=tip}\n" +
			" p a\n" +
			" container columns\n" +
			"  list\n" +
			"   item\n" +
			"    p b\n" +
			" p c\n" +
			"p d"},
	{"6 a fence ends a list item",
		":::callout\n- a\n  :::\nb\n",
		"container callout\n" +
			" list\n" +
			"  item\n" +
			"   p a\n" +
			"p b"},
	{"6 fences in code and in items' code are none",
		":::callout\n- ```\n  :::\n  ```\n:::\n",
		"container callout\n" +
			" list\n" +
			"  item\n" +
			"   code \":::\""},
	{"6.4 a part",
		":::part{number=\"II\" title=\"The Hive\"}\n- one\n:::\n",
		"container part {number=II} {title=The Hive}\n" +
			" list\n" +
			"  item\n" +
			"   p one"},
	{"8 notes",
		"a[^1] b[^x-y]\n\n[^1]: One\nline *two*.\n\n[^x-y]: Two.\n",
		"p a<note #1> b<note #x-y>\n" +
			"note 1\n" +
			" p One line <i two>.\n" +
			"note x-y\n" +
			" p Two."},
	{"8 the first definition wins",
		"a[^1]\n\n[^1]: one\n\n[^1]: two\n",
		"p a<note #1>\n" +
			"note 1\n" +
			" p one"},
	{"8 markers in notes, as in headings, print",
		"a[^1]\n\n[^1]: b[^1]\n",
		"p a<note #1>\n" +
			"note 1\n" +
			" p b[^1]"},
	{"19 notes of several paragraphs",
		"a[^1]\n\n[^1]: one\n\n    two\n\n    > three\n\n      four\n\nflow\n",
		"p a<note #1>\n" +
			"p flow\n" +
			"note 1\n" +
			" p one\n" +
			" p two\n" +
			" quote\n" +
			"  p three\n" +
			" p four"},
	{"13.3 embeds",
		"::resource{id=\"hive-plan\"}\n\n::resource{id='x'}\n\ntext\n::resource{id=\"y\"}\n",
		"embed resource #hive-plan\n" +
			"p ::resource{id='x'}\n" +
			"p text ::resource{id=\"y\"}"},
	{"19 scene breaks",
		"a\n\n* * *\n\n---\n\n***\n\n___\n\n***\nb\n",
		"p a\n" +
			"scene\n" +
			"scene\n" +
			"scene\n" +
			"scene\n" +
			"scene\n" +
			"p b"},
	{"19 pipe tables",
		"| a | b | c |\n|:--|:-:|--:|\n| 1 | *2* |\n| x \\| y | `p\\|q` | 3 | 4 |\n\nTable: The *caption*\non two lines {#tbl:a}\n",
		"table #tbl:a {id=tbl:a}\n" +
			" row |left a |center b |right c\n" +
			" row |left 1 |center <i 2> |right \n" +
			" row |left x | y |center <code p><code |q> |right 3 caption: The <i caption> on two lines"},
	{"19 a table needs its row of dashes",
		"a | b\nc | d\n",
		"p a | b c | d"},
	{"19 quotes hold several blocks",
		"> a\n>\n> - b\n>\n> > c\n> # d\n",
		"quote\n" +
			" p a\n" +
			" list\n" +
			"  item\n" +
			"   p b\n" +
			" quote\n" +
			"  p c\n" +
			" h1 d"},
	{"19 items hold several blocks",
		"- a\n\n  b\n\n  > c\n\n      code\n- d\n",
		"list loose\n" +
			" item\n" +
			"  p a\n" +
			"  p b\n" +
			"  quote\n" +
			"   p c\n" +
			"  code \"code\"\n" +
			" item\n" +
			"  p d"},
	{"19 lists interrupted and resumed",
		"1. a\n\nbetween\n\n2. b\n",
		"list 1\n" +
			" item\n" +
			"  p a\n" +
			"p between\n" +
			"list 2\n" +
			" item\n" +
			"  p b"},
	{"19 setext headings",
		"A *b*\nc\n===\n\nd {#e}\n---\n",
		"h1 A <i b> c\n" +
			"h2 #e {id=e} d"},
	{"19 indented code",
		"a\n\n    x  y\n\n      z\n\nb\n",
		"p a\n" +
			"code \"x  y\\n\\n  z\"\n" +
			"p b"},
	{"19 comments disappear",
		"a<!-- b -->c\n\n<!-- d\n\ne -->\n\nf\n",
		"p ac\n" +
			"p f"},
	{"19 other HTML loses its tags",
		"<div class=\"x\">\n\na <span>b</span>\n\n</div>\n",
		"p a b"},
	{"19 a block tag ends a paragraph",
		"<p>a</p>\n<p>b</p>\n",
		"p a\n" +
			"p b"},
	{"1 CRLF",
		"a\r\nb  \r\nc\r\n\r\n```\r\nd\r\ne\r\n```\r\n",
		"p a b<br>c\n" +
			"code \"d\\ne\""},
}
