// How much text a chapter may have (book.MaxChapter), counted as it is kept, in bytes of
// UTF-8. What would make it longer is not taken into the editor: the worker refuses it,
// and a text that cannot be kept must not look as if it were.
import { EditorState, Transaction, type Extension, type Text } from "@codemirror/state";

const most = 16 * 1024 * 1024;

function isTooLong(doc: Text): boolean {
  if (doc.length * 3 <= most) return false; // a UTF-16 unit has three bytes at most
  let bytes = 0;
  for (const parts = doc.iter(); !parts.next().done; ) {
    const s = parts.value;
    for (let i = 0; i < s.length; i++) {
      const c = s.charCodeAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || (c >= 0xd800 && c < 0xe000) ? 2 : 3;
    }
    if (bytes > most) return true;
  }
  return false;
}

/** Keeps a chapter within the limit; `refused` is told when something was not taken. */
export function chapterLimit(refused: () => void): Extension {
  return EditorState.changeFilter.of((tr) => {
    if (!tr.docChanged || tr.annotation(Transaction.remote) || tr.newDoc.length <= tr.startState.doc.length || !isTooLong(tr.newDoc)) return true;
    refused();
    return false;
  });
}

export const chapterLimitSaid =
  "A chapter may have 16 MB of text, so this was not put in. Nothing is lost: add a chapter for it (Chapters, Add chapter), or divide this one first.";
