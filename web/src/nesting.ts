// How deep the colours of the editor follow a text that nests.
//
// The Markdown parser makes a tree as deep as the text nests, and who reads the tree
// calls itself for each level: thousands of quotation marks before a line are more
// than a browser's stack holds. What is nested deeper than a person writes is left
// without colours; the text itself is edited as any other.
import type { InlineContext, MarkdownConfig } from "@lezer/markdown";

/** Blocks in blocks: the document itself is the first. */
const deepestBlock = 60;

/** Marks of one paragraph that may open something: each may nest in the one before. */
const mostMarks = 600;

const marks = new Set(["*", "_", "[", "!", "~", "`"].map((mark) => mark.charCodeAt(0)));

/** How many such marks a paragraph had so far. */
const seen = new WeakMap<InlineContext, number>();

/** Bounds how deep the tree of a text becomes. */
export const boundedNesting: MarkdownConfig = {
  parseBlock: [
    {
      name: "TooDeepBlock",
      before: "LinkReference",
      parse(cx) {
        if (cx.depth < deepestBlock) return false;
        cx.nextLine();
        return true;
      },
    },
  ],
  parseInline: [
    {
      name: "TooManyMarks",
      before: "Escape",
      parse(cx, next, pos) {
        if (!marks.has(next)) return -1;
        const n = (seen.get(cx) ?? 0) + 1;
        seen.set(cx, n);
        return n > mostMarks ? pos + 1 : -1;
      },
    },
  ],
};
