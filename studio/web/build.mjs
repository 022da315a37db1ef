// Builds the page into the Python package: script, style sheet, and what there is to learn from.
import { build } from "esbuild";
import { marked } from "marked";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const out = join(root, "src", "fairlead", "studio", "static");

/* a page of the manual as steps; models that it gives as files can be opened */
async function tutorial(name, id) {
  const text = (await readFile(join(root, "docs", "tutorial", name), "utf8")).replace(/^\[[^\]]+\]: .*$/gm, "");
  const [head, ...parts] = text.split(/^## /m);
  const title = /^# (.*)$/m.exec(head)[1];
  const steps = [{ title, ...step(head.replace(/^# .*$/m, "")) }];
  for (const part of parts) {
    const end = part.indexOf("\n");
    steps.push({ title: part.slice(0, end).replace(/^\d+\.\s*/, ""), ...step(part.slice(end + 1)) });
  }
  return { id, title, steps };
}

function step(markdown) {
  const models = [];
  const marked_ = markdown.replace(
    /<!-- (?:file|wrong): (\S+) -->\s*```\w+\n([\s\S]*?)```/g,
    (_, name, text) => {
      models.push({ name, text });
      return "```csp\n" + text + "```\n\nMODEL" + (models.length - 1) + "\n";
    },
  );
  const plain = marked_
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, "$1")
    .replace(/!?\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\[([a-zA-Z][^\]`=]*)\](?!\()/g, "$1");
  const html = marked.parse(plain).replace(/<p>MODEL(\d+)<\/p>/g, '<div data-model="$1"></div>');
  return { html, models };
}

async function examples() {
  const base = join(root, "examples");
  const found = [];
  for (const entry of (await readdir(base, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory()) continue;
    const folder = join(base, entry.name);
    const title = /^# (.*)$/m.exec(await readFile(join(folder, "README.md"), "utf8"))[1];
    const models = [];
    for (const name of (await readdir(folder)).sort()) {
      if (!/\.(csp|lts|aut|json)$/.test(name)) continue;
      const text = await readFile(join(folder, name), "utf8");
      models.push({ name: relative(base, join(folder, name)).split(sep).join("/"), about: summary(text), text });
    }
    if (models.length) found.push({ title, models });
  }
  return found;
}

function summary(text) {
  const line = /^(?:\/\/|\/\*+)\s*(.+)$/m.exec(text);
  return line ? line[1].replace(/\*\/\s*$/, "").trim() : "";
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: { studio: join(here, "src", "main.ts") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
});
await build({
  entryPoints: [join(here, "src", "studio.css")],
  outdir: out,
  bundle: true,
  minify: true,
  logLevel: "warning",
});
await cp(join(here, "src", "index.html"), join(out, "index.html"));
await cp(join(here, "src", "icon.svg"), join(out, "icon.svg"));
const learn = {
  tutorials: [await tutorial("studio.md", "studio"), await tutorial("first-model.md", "command-line")],
  examples: await examples(),
};
await writeFile(join(out, "learn.json"), JSON.stringify(learn));
