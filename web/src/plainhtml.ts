// Stands in for @codemirror/lang-html, which the Markdown mode brings along to
// colour HTML inside Markdown, and with it the grammars of CSS and JavaScript: a
// third of the page's script for something a book does not contain.
import { LanguageSupport, StreamLanguage } from "@codemirror/language";

export function html(): LanguageSupport {
  return new LanguageSupport(
    StreamLanguage.define({
      token(stream) {
        stream.skipToEnd();
        return null;
      },
    }),
  );
}

export function htmlCompletionSource(): null {
  return null;
}
