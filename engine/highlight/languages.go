package highlight

import (
	"strings"
	"sync"
)

// language is a row of the table.
type language struct {
	names      string // space between them; lower case
	keywords   map[string]bool
	types      map[string]bool
	constants  map[string]bool
	line       []string
	block      [][2]string
	quotes     []quote
	sigils     string // begin a variable's name
	meta       string // # preprocessor lines and attributes, @ decorators
	inName     string // bytes that may stand inside a name
	keys       string // a name before one of these is a key
	caseless   bool
	capitals   bool // a name with a capital is a type
	members    bool // a name behind a dot is no keyword
	noCalls    bool // a name before ( is nothing special
	macros     bool // name! is a function
	prefixed   bool // strings with letters before them
	lifetimes  bool // ' may begin something else than a string
	hashAtWord bool // a comment begins a word
	scan       func(*scanner)
}

// quote is a kind of string.
type quote struct {
	open, close string
	escape      bool // a backslash takes the next character along
	lines       bool // it may go over lines
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var (
	double    = quote{`"`, `"`, true, false}
	single    = quote{"'", "'", true, false}
	backtick  = quote{"`", "`", true, true}
	rawTick   = quote{"`", "`", false, true}
	triple    = quote{`"""`, `"""`, true, true}
	tripleOne = quote{"'''", "'''", true, true}
	slashes   = []string{"//"}
	hash      = []string{"#"}
	starred   = [][2]string{{"/*", "*/"}}
)

const cTypes = "bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t wchar_t FILE"

// table is built when the first listing is read.
var table = sync.OnceValue(func() map[string]*language {
	rows := []*language{
		{names: "go golang", line: slashes, block: starred, quotes: []quote{double, rawTick, single}, members: true,
			keywords:  words("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var"),
			types:     words("any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr"),
			constants: words("true false nil iota")},
		{names: "python py python3", line: hash, quotes: []quote{triple, tripleOne, double, single}, meta: "@", members: true, prefixed: true, capitals: true,
			keywords:  words("and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield"),
			types:     words("bool bytes dict float frozenset int list object set str tuple type"),
			constants: words("True False None self cls")},
		{names: "javascript js jsx mjs node typescript ts tsx", line: slashes, block: starred, quotes: []quote{double, single, backtick}, meta: "@", members: true, capitals: true,
			keywords:  words("abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in instanceof interface keyof let namespace new of private protected public readonly return satisfies set static super switch this throw try type typeof var void while with yield"),
			types:     words("any bigint boolean never number object string symbol unknown"),
			constants: words("true false null undefined NaN Infinity")},
		{names: "json json5 jsonc", line: slashes, block: starred, scan: jsonScan, constants: words("true false null")},
		{names: "c h", line: slashes, block: starred, quotes: []quote{double, single}, meta: "#",
			keywords: words("auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while"),
			types:    words(cTypes), constants: words("NULL true false")},
		{names: "cpp c++ cc cxx hpp", line: slashes, block: starred, quotes: []quote{double, single}, meta: "#", members: true, capitals: true,
			keywords: words("alignas and auto break case catch class co_await co_return co_yield concept const consteval constexpr constinit continue decltype default delete do else enum explicit export extern final for friend goto if inline mutable namespace new noexcept not operator or override private protected public requires return sizeof static static_assert static_cast dynamic_cast reinterpret_cast const_cast struct switch template this throw try typedef typename union using virtual volatile while"),
			types:    words(cTypes + " string vector map set unique_ptr shared_ptr optional"), constants: words("nullptr NULL true false")},
		{names: "java", line: slashes, block: starred, quotes: []quote{triple, double, single}, meta: "@", members: true, capitals: true,
			keywords: words("abstract assert break case catch class continue default do else enum extends final finally for if implements import instanceof interface native new package permits private protected public record return sealed static super switch synchronized this throw throws transient try var volatile while yield"),
			types:    words("boolean byte char double float int long short void"), constants: words("true false null")},
		{names: "csharp cs c#", line: slashes, block: starred, quotes: []quote{{`@"`, `"`, false, true}, {`$"`, `"`, true, false}, double, single}, meta: "#", members: true, capitals: true,
			keywords: words("abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern finally fixed for foreach get goto if implicit in init interface internal is lock namespace new operator out override params partial private protected public readonly record ref required return sealed set sizeof stackalloc static struct switch this throw try typeof unchecked unsafe using var virtual volatile when where while with yield"),
			types:    words("bool byte char decimal double dynamic float int long nint object sbyte short string uint ulong ushort void"), constants: words("true false null")},
		{names: "rust rs", line: slashes, block: starred, quotes: []quote{{`r#"`, `"#`, false, true}, {`"`, `"`, true, true}, single}, meta: "#", members: true, capitals: true, macros: true, lifetimes: true,
			keywords:  words("as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return self static struct super trait type unsafe use where while"),
			types:     words("bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self"),
			constants: words("true false None Some Ok Err")},
		{names: "kotlin kt kts", line: slashes, block: starred, quotes: []quote{triple, double, single}, meta: "@", members: true, capitals: true,
			keywords:  words("abstract actual as break by catch class companion const constructor continue crossinline data do else enum expect external final finally for fun get if import in infix init inline inner interface internal is lateinit object open operator out override package private protected public reified return sealed set super suspend tailrec this throw try typealias val var vararg when where while"),
			constants: words("true false null")},
		{names: "swift", line: slashes, block: starred, quotes: []quote{triple, double}, meta: "@#", members: true, capitals: true,
			keywords:  words("actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough fileprivate final for func get guard if import in indirect infix init inout internal is lazy let mutating nonisolated open operator override private protocol public repeat rethrows return self set some static struct subscript super switch throw throws try typealias unowned var weak where while"),
			constants: words("true false nil")},
		{names: "php", line: []string{"//", "#"}, block: starred, quotes: []quote{{`"`, `"`, true, true}, {"'", "'", true, true}}, sigils: "$", capitals: true,
			keywords:  words("abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enum extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield"),
			types:     words("bool float int iterable mixed object string void never"),
			constants: words("true false null TRUE FALSE NULL")},
		{names: "ruby rb", line: hash, block: [][2]string{{"=begin", "=end"}}, quotes: []quote{{`"`, `"`, true, true}, {"'", "'", true, true}, backtick}, sigils: "@$", members: true, capitals: true,
			keywords:  words("alias and begin break case class def defined do else elsif end ensure for if in module next not or redo require require_relative rescue retry return self super then undef unless until when while yield attr_accessor attr_reader attr_writer"),
			constants: words("true false nil")},
		{names: "lua", line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, quotes: []quote{{"[[", "]]", false, true}, double, single}, members: true,
			keywords:  words("and break do else elseif end for function goto if in local not or repeat return then until while"),
			constants: words("true false nil self")},
		{names: "r rlang", line: hash, quotes: []quote{double, single}, inName: ".",
			keywords:  words("break else for function if in next repeat return while library require"),
			constants: words("TRUE FALSE NULL NA Inf NaN")},
		{names: "sql mysql postgresql postgres sqlite plsql", line: []string{"--"}, block: starred, quotes: []quote{{"'", "'", false, true}, {`"`, `"`, false, false}}, caseless: true,
			keywords:  words("add all alter and as asc begin between by case cast check column commit constraint create cross database default delete desc distinct drop else end exists explain foreign from full function grant group having if in index inner insert intersect into is join key left like limit not null offset on or order outer over partition primary procedure references returning revoke right rollback select set table then to transaction trigger union unique update using values view when where with"),
			types:     words("bigint blob boolean bytea char date datetime decimal double float int integer interval json jsonb numeric real serial smallint text time timestamp uuid varchar"),
			constants: words("true false null")},
		{names: "bash sh shell zsh ksh", line: hash, hashAtWord: true, quotes: []quote{{`"`, `"`, true, true}, {"'", "'", false, true}, backtick}, sigils: "$", inName: "-", noCalls: true, keys: "=",
			keywords: words("case do done elif else esac export fi for function if in local readonly return select set shift source then trap unset until while"),
			types:    words("cat cd chmod cp curl echo exit find git grep head kill ls make mkdir mv printf pwd read rm sed sort sudo tail tar test touch tr wc xargs")},
		{names: "console shell-session terminal session", scan: consoleScan},
		{names: "powershell ps1 pwsh", line: hash, block: [][2]string{{"<#", "#>"}}, quotes: []quote{double, {"'", "'", false, false}}, sigils: "$", inName: "-", caseless: true,
			keywords: words("begin break catch class continue data do else elseif end exit filter finally for foreach function if in param process return switch throw trap try until using while")},
		{names: "html xml svg xhtml xsl rss vue", scan: markupScan},
		{names: "css scss less sass", scan: cssScan},
		{names: "yaml yml", scan: yamlScan, constants: words("true false null yes no on off")},
		{names: "toml ini cfg conf properties env dotenv", line: []string{"#", ";"}, quotes: []quote{triple, tripleOne, double, single}, inName: "-.", keys: "=", noCalls: true,
			constants: words("true false")},
		{names: "diff patch", scan: diffScan},
		{names: "makefile make mk", line: hash, quotes: []quote{double, single}, sigils: "$", inName: "-", keys: "=:", noCalls: true,
			keywords: words("define else endef endif export ifdef ifeq ifndef ifneq include override")},
		{names: "dockerfile docker", line: hash, quotes: []quote{double, single}, sigils: "$", inName: "-", noCalls: true,
			keywords: words("ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM AS HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR")},
		{names: "haskell hs", line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, quotes: []quote{double}, capitals: true, noCalls: true, inName: "'",
			keywords: words("case class data default deriving do else forall foreign if import in infix infixl infixr instance let module newtype of qualified then type where")},
		{names: "scala", line: slashes, block: starred, quotes: []quote{triple, double, single}, meta: "@", members: true, capitals: true,
			keywords:  words("abstract case catch class def do else enum extends final finally for given if implicit import lazy match new object override package private protected return sealed super then this throw trait try type using val var while with yield"),
			constants: words("true false null None")},
		{names: "perl pl", line: hash, quotes: []quote{double, single}, sigils: "$@%",
			keywords: words("and cmp die do each else elsif eq for foreach ge gt if last le local lt my ne next no not or our package print return shift sub unless until use while")},
		{names: "tex latex", scan: texScan},
	}
	m := map[string]*language{}
	for _, l := range rows {
		for _, n := range strings.Fields(l.names) {
			m[n] = l
		}
	}
	return m
})

// find gives a language by one of its names.
func find(name string) *language {
	if len(name) > 20 {
		return nil
	}
	return table()[strings.ToLower(name)]
}
