// Colours of the languages. What names mean is the server's business; this knows tokens alone.
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const CSP = new Set(
  ("var channel define assert import include enum hvar if ifa ifb else while case default atomic alphabet " +
    "deadlockfree divergencefree deterministic nonterminating reaches refines with min max true false " +
    "Skip Stop call new xor").split(" "),
);
const FSP = new Set(
  ("const range set property progress assert fluent constraint when if then else forall exists rigid tick " +
    "initially menu import animation minimal deterministic compose END STOP ERROR True False").split(" "),
);

function language(name: string, words: Set<string>) {
  return StreamLanguage.define<{ comment: boolean }>({
    name,
    startState: () => ({ comment: false }),
    token(stream: StringStream, state) {
      if (state.comment || stream.match("/*")) {
        state.comment = !stream.match(/.*?\*\//);
        if (state.comment) stream.skipToEnd();
        return "comment";
      }
      if (stream.eatSpace()) return null;
      if (stream.match(/\/\/.*/)) return "comment";
      if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/\d+/)) return "number";
      if (stream.match(/#\s*\w+/)) return "keyword";
      const word = stream.match(/[A-Za-z_]\w*/) as RegExpMatchArray | null;
      if (word) {
        if (words.has(word[0])) return "keyword";
        return /^[A-Z]/.test(word[0]) ? "typeName" : "variableName";
      }
      if (stream.match(/->|\|\|\||\|\||\|=|\[\]|<>|\[\*\]|<->|&&|[!=<>]=|::|<<|>>|[-+*/%=<>!?~@\\;:.,|]/)) return "operator";
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
  });
}

const csp = language("csp", CSP);
const fsp = language("fsp", FSP);
const plain = language("text", new Set());

export function languageOf(name: string) {
  if (name.endsWith(".csp")) return { id: "csp", support: csp };
  if (name.endsWith(".lts")) return { id: "fsp", support: fsp };
  return { id: "json", support: plain };
}

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, class: "tok-keyword" },
    { tag: tags.typeName, class: "tok-process" },
    { tag: tags.variableName, class: "tok-name" },
    { tag: tags.number, class: "tok-number" },
    { tag: tags.string, class: "tok-string" },
    { tag: tags.comment, class: "tok-comment" },
    { tag: tags.operator, class: "tok-operator" },
  ]),
);
