package math

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// The symbols by class, name and character in turn: those of TeX, of LaTeX and
// of the AMS packages.
var symbolNames = []struct {
	class class
	names string
}{
	{ord, `| ‖ alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ
varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ
varphi φ chi χ psi ψ omega ω digamma ϝ
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π
Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω
infty ∞ partial ∂ nabla ∇ hbar ℏ hslash ℏ ell ℓ wp ℘ Re ℜ Im ℑ aleph ℵ beth ℶ gimel ℷ daleth ℸ imath ı jmath ȷ
emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ angle ∠ measuredangle ∡ sphericalangle ∢
triangle △ triangledown ▽ square □ Box □ blacksquare ■ lozenge ◊ Diamond ◊ blacklozenge ⧫ bigstar ★ blacktriangle ▴
blacktriangledown ▾ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ natural ♮ sharp ♯ prime ′ backprime ‵
surd √ degree ° circledR ® copyright © S § P ¶ dag † ddag ‡ pounds £ yen ¥ checkmark ✓ maltese ✠ mho ℧ eth ð
complement ∁ Finv Ⅎ Game ⅁ Bbbk 𝕜 diagup ⟋ diagdown ⟍ backslash \ vert | Vert ‖ infin ∞ hearts ♡
% % # # & & _ _ $ $ AA Å`},
	{op, `sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄
bigsqcup ⨆ bigsqcap ⨅ int ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ oiiint ∰ intop ∫ smallint ∫`},
	{bin, `pm ± mp ∓ times × div ÷ ast ∗ star ⋆ circ ∘ bullet ∙ cdot ⋅ centerdot ⋅ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨
lor ∨ wedge ∧ land ∧ setminus ∖ smallsetminus ∖ wr ≀ diamond ⋄ bigtriangleup △ bigtriangledown ▽ triangleleft ◁
triangleright ▷ lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ bigcirc ◯ dagger † ddagger ‡
amalg ⨿ dotplus ∔ ltimes ⋉ rtimes ⋊ leftthreetimes ⋋ rightthreetimes ⋌ Cap ⋒ Cup ⋓ barwedge ⌅ veebar ⊻ boxplus ⊞
boxminus ⊟ boxtimes ⊠ boxdot ⊡ circledast ⊛ circledcirc ⊚ circleddash ⊝ curlywedge ⋏ curlyvee ⋎ intercal ⊺ divideontimes ⋇
doublebarwedge ⩞ gtrdot ⋗ lessdot ⋖`},
	{rel, `leq ≤ le ≤ geq ≥ ge ≥ ne ≠ neq ≠ equiv ≡ sim ∼ simeq ≃ approx ≈ approxeq ≊ cong ≅ propto ∝ varpropto ∝ ll ≪ gg ≫
lll ⋘ ggg ⋙ prec ≺ succ ≻ preceq ⪯ succeq ⪰ preccurlyeq ≼ succcurlyeq ≽ precsim ≾ succsim ≿ precapprox ⪷ succapprox ⪸
subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ subseteqq ⫅ supseteqq ⫆ subsetneqq ⫋ supsetneqq ⫌ Subset ⋐ Supset ⋑ sqsubset ⊏
sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ owns ∋ notin ∉ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ Vdash ⊩ Vvdash ⊪ nvdash ⊬
nvDash ⊭ perp ⟂ mid ∣ nmid ∤ parallel ∥ nparallel ∦ shortmid ∣ shortparallel ∥ asymp ≍ bowtie ⋈ Join ⋈ doteq ≐ doteqdot ≑ Doteq ≑
smile ⌣ frown ⌢ leqq ≦ geqq ≧ leqslant ⩽ geqslant ⩾ lesssim ≲ gtrsim ≳ lessapprox ⪅ gtrapprox ⪆ lessgtr ≶ gtrless ≷
lesseqgtr ⋚ gtreqless ⋛ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ lneq ⪇ gneq ⪈ lneqq ≨ gneqq ≩ nsim ≁ ncong ≇ nsubseteq ⊈ nsupseteq ⊉
nprec ⊀ nsucc ⊁ precneqq ⪵ succneqq ⪶ precnsim ⋨ succnsim ⋩ lnsim ⋦ gnsim ⋧
triangleq ≜ circeq ≗ bumpeq ≏ Bumpeq ≎ eqcirc ≖ coloneqq ≔ eqqcolon ≕ coloneq ≔ therefore ∴ because ∵ backsim ∽ thicksim ∼ thickapprox ≈
vartriangle △ vartriangleleft ⊲ vartriangleright ⊳ trianglelefteq ⊴ trianglerighteq ⊵ blacktriangleleft ◂ blacktriangleright ▸
ntriangleleft ⋪ ntriangleright ⋫ between ≬ pitchfork ⋔ risingdotseq ≓ fallingdotseq ≒
leftarrow ← gets ← rightarrow → to → leftrightarrow ↔ uparrow ↑ downarrow ↓ updownarrow ↕ Leftarrow ⇐ Rightarrow ⇒
Leftrightarrow ⇔ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ longleftarrow ⟵ longrightarrow ⟶ longleftrightarrow ⟷
Longleftarrow ⟸ Longrightarrow ⟹ Longleftrightarrow ⟺ implies ⟹ impliedby ⟸ iff ⟺ mapsto ↦ longmapsto ⟼ hookleftarrow ↩
hookrightarrow ↪ leftharpoonup ↼ leftharpoondown ↽ rightharpoonup ⇀ rightharpoondown ⇁ rightleftharpoons ⇌
leftrightharpoons ⇋ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ leadsto ⇝ rightsquigarrow ⇝ leftrightsquigarrow ↭ twoheadrightarrow ↠
twoheadleftarrow ↞ rightarrowtail ↣ leftarrowtail ↢ leftleftarrows ⇇ rightrightarrows ⇉ leftrightarrows ⇆ rightleftarrows ⇄
upuparrows ⇈ downdownarrows ⇊ upharpoonleft ↿ upharpoonright ↾ restriction ↾ downharpoonleft ⇃ downharpoonright ⇂ Lleftarrow ⇚
Rrightarrow ⇛ curvearrowleft ↶ curvearrowright ↷ circlearrowleft ↺ circlearrowright ↻ looparrowleft ↫ looparrowright ↬ Lsh ↰ Rsh ↱
dashleftarrow ⇠ dashrightarrow ⇢ multimap ⊸ nleftarrow ↚ nrightarrow ↛ nleftrightarrow ↮ nLeftarrow ⇍ nRightarrow ⇏ nLeftrightarrow ⇎
xor ⊻`},
	{open, `langle ⟨ lceil ⌈ lfloor ⌊ lbrace { { { lbrack [ lvert | lVert ‖ lgroup ⟮ lmoustache ⎰ ulcorner ⌜ llcorner ⌞ llbracket ⟦ lBrack ⟦ lAngle ⟪`},
	{shut, `rangle ⟩ rceil ⌉ rfloor ⌋ rbrace } } } rbrack ] rvert | rVert ‖ rgroup ⟯ rmoustache ⎱ urcorner ⌝ lrcorner ⌟ rrbracket ⟧ rBrack ⟧ rAngle ⟫`},
	{punct, `colon : comma , ldotp . cdotp ⋅`},
	{inner, `ldots … cdots ⋯ vdots ⋮ ddots ⋱ iddots ⋰ adots ⋰ dotsc … dotso … dotsb ⋯ dotsm ⋯ dotsi ⋯`},
}

// charClasses are the classes of characters typed as they are, where they are
// not ord.
var charClasses = []struct {
	class class
	chars string
}{
	{bin, "+-−*∗±∓×÷⋅∘∙•·∩∪∧∨⊕⊖⊗⊘⊙∖⋆⊎⊓⊔†‡"},
	{rel, "=<>:≤≥≠≡∼≃≈≅∝≪≫≺≻⪯⪰≼≽⊂⊃⊆⊇⊊⊋∈∉∋∌⊢⊣⊨⟂⊥∣∤∥∦≍≐⊏⊐⊑⊒≜≔≕⩽⩾→←↔⇒⇐⇔↑↓↦⟶⟵⟹⟸⟺⟼↪↩⇌⇀⇁↼↽∴∵≲≳"},
	{open, "([⟨⌈⌊⟦{"},
	{shut, ")]⟩⌉⌋⟧}!?"},
	{punct, ",;"},
	{inner, "…⋯⋮⋱"},
	{op, "∑∏∐∫∬∭∮∯∰⋃⋂⋁⋀⨁⨂⨀⨄⨆"},
}

// named are the operators set as words; those of the second list take limits.
const (
	operators      = ` arccos arcsin arctan arg cos cosh cot coth csc deg dim exp hom ker lg ln log sec sin sinh tan tanh sgn `
	limitOperators = ` det gcd inf lim max min Pr sup injlim projlim liminf limsup argmax argmin `
)

// spelled are operators whose words have a space.
var spelled = map[string]string{"liminf": "lim inf", "limsup": "lim sup", "injlim": "inj lim", "projlim": "proj lim",
	"argmax": "arg max", "argmin": "arg min"}

// accents by name: the combining character, and whether it grows.
var accents = map[string]struct {
	r       rune
	stretch bool
}{
	"hat": {0x302, false}, "widehat": {0x302, true}, "check": {0x30C, false}, "widecheck": {0x30C, true},
	"tilde": {0x303, false}, "widetilde": {0x303, true}, "acute": {0x301, false}, "grave": {0x300, false},
	"dot": {0x307, false}, "ddot": {0x308, false}, "dddot": {0x20DB, false}, "ddddot": {0x20DC, false},
	"breve": {0x306, false}, "bar": {0x304, false}, "vec": {0x20D7, false}, "mathring": {0x30A, false},
}

// letters by command: \mathbb and its kin, and TeX's old switches.
var alphabetNames = map[string]alphabet{
	"mathrm": upright, "mathup": upright, "mathnormal": normal, "mathit": italic, "mathbf": bold, "boldsymbol": boldItalic,
	"bm": boldItalic, "pmb": boldItalic, "mathbb": double, "Bbb": double, "mathcal": script_, "mathscr": script_,
	"mathfrak": fraktur, "frak": fraktur, "mathsf": sans, "mathtt": mono, "symbf": bold, "symit": italic, "symup": upright,
	"symbb": double, "symcal": script_, "symfrak": fraktur, "symsf": sans, "symbfit": boldItalic, "mathbfit": boldItalic,
	"mathbfcal": boldScript, "mathbffrak": boldFraktur, "mathsfbf": sansBold, "mathsfit": sansItalic,
}

var switches = map[string]alphabet{
	"rm": upright, "bf": bold, "it": italic, "cal": script_, "sf": sans, "tt": mono, "frak": fraktur,
}

// negated are relations that have a struck character of their own.
var negated = map[rune]rune{
	'=': '≠', '<': '≮', '>': '≯', '≤': '≰', '≥': '≱', '∈': '∉', '∋': '∌', '⊂': '⊄', '⊃': '⊅', '⊆': '⊈', '⊇': '⊉',
	'≡': '≢', '∼': '≁', '≃': '≄', '≈': '≉', '≅': '≇', '∣': '∤', '|': '∤', '∥': '∦', '≺': '⊀', '≻': '⊁', '⊢': '⊬', '⊨': '⊭',
	'→': '↛', '←': '↚', '↔': '↮', '⇒': '⇏', '⇐': '⇍', '⇔': '⇎', '∃': '∄', '⊑': '⋢', '⊒': '⋣', '≍': '≭', '≼': '⋠', '≽': '⋡',
}

// spaces by command, in thousandths of an em: TeX's mu is 1/18 em.
var spaces = map[string]int32{
	",": 167, "thinspace": 167, ":": 222, ">": 222, "medspace": 222, ";": 278, "thickspace": 278,
	"!": -167, "negthinspace": -167, "negmedspace": -222, "negthickspace": -278,
	"enspace": 500, "enskip": 500, "quad": 1000, "qquad": 2000, " ": 333, "space": 333, "nobreakspace": 333,
}

type symbolOf struct {
	r     rune
	class class
}

var symbols = sync.OnceValue(func() map[string]symbolOf {
	m := make(map[string]symbolOf, 700)
	for _, s := range symbolNames {
		f := strings.Fields(s.names)
		for i := 0; i+1 < len(f); i += 2 {
			r, _ := utf8.DecodeRuneInString(f[i+1])
			m[f[i]] = symbolOf{r, s.class}
		}
	}
	return m
})

var classes = sync.OnceValue(func() map[rune]class {
	m := make(map[rune]class, 200)
	for _, c := range charClasses {
		for _, r := range c.chars {
			m[r] = c.class
		}
	}
	return m
})

// integral reports an integral sign: its scripts stand beside it even in
// display.
func integral(r rune) bool { return r >= 0x222B && r <= 0x2233 || r == 0x2A0C }
