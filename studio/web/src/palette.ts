// The command palette: everything that can be done, and every model, by a few letters of its name.
import { fill, h } from "./dom";
import { open } from "./editor";
import { command, commands, perform, state } from "./state";

interface Entry {
  title: string;
  keys?: string;
  run: () => void;
}

function entries(): Entry[] {
  const found: Entry[] = [...commands.values()]
    .filter((one) => !one.id.startsWith("show-"))
    .map((one) => ({ title: one.title, keys: one.keys, run: () => perform(one.id) }));
  for (const file of state.files) found.push({ title: file.name, run: () => void open(file.name).then(() => perform("show-editor")) });
  return found;
}

/** Whether the letters are in a text in this order; a low number is a good match. */
export function match(text: string, letters: string): number | null {
  const [low, wanted] = [text.toLowerCase(), letters.toLowerCase().replace(/\s+/g, "")];
  let at = -1;
  let cost = 0;
  for (const letter of wanted) {
    const next = low.indexOf(letter, at + 1);
    if (next < 0) return null;
    cost += next - at - 1;
    at = next;
  }
  return low.includes(letters.toLowerCase()) ? cost / 10 : cost + 5;
}

export function showPalette(): void {
  if (document.querySelector("dialog.palette")) return;
  const before = document.activeElement as HTMLElement | null;
  const field = h("input", {
    placeholder: "what do you want to do?",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "palette-list",
    "aria-label": "command",
    autocomplete: "off",
  });
  const list = h("ul", { id: "palette-list", role: "listbox", "aria-label": "commands", class: "plain" });
  const element = h("dialog", { class: "palette", "aria-label": "commands" }, field, list);
  let shown: Entry[] = [];
  let chosen = 0;
  const close = () => {
    element.close();
    element.remove();
    before?.focus();
  };
  const show = () => {
    const wanted = field.value.trim();
    shown = entries()
      .map((one) => ({ one, cost: wanted ? match(one.title, wanted) : 0 }))
      .filter((one) => one.cost !== null)
      .sort((a, b) => a.cost! - b.cost!)
      .slice(0, 60)
      .map((each) => each.one);
    chosen = Math.min(chosen, Math.max(0, shown.length - 1));
    fill(
      list,
      shown.map((one, index) =>
        h(
          "li",
          { role: "option", id: `palette-${index}`, "aria-selected": index === chosen ? "true" : "false", onclick: () => run(index) },
          h("span", { class: "grow" }, one.title),
          one.keys ? h("kbd", null, one.keys) : null,
        ),
      ),
      shown.length ? null : h("li", { class: "soft", role: "option", "aria-selected": "false" }, "nothing of that name"),
    );
    field.setAttribute("aria-activedescendant", shown.length ? `palette-${chosen}` : "");
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  };
  const run = (index: number) => {
    const entry = shown[index];
    close();
    entry?.run();
  };
  field.addEventListener("input", () => {
    chosen = 0;
    show();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") chosen = Math.min(chosen + 1, shown.length - 1);
    else if (event.key === "ArrowUp") chosen = Math.max(chosen - 1, 0);
    else if (event.key === "Enter") return event.preventDefault(), run(chosen);
    else return;
    event.preventDefault();
    show();
  });
  element.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  element.addEventListener("click", (event) => event.target === element && close());
  document.body.append(element);
  element.showModal();
  show();
  field.focus();
}

export function offerPalette(): void {
  command("palette", "Commands", showPalette, "Ctrl-K");
}
