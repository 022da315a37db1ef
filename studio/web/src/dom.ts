// Elements, without a framework: what is shown is made anew from what is known, part by part.

type Child = Node | string | number | null | undefined | false | Child[];
type Given = Record<string, unknown>;

/** An element: `h("button", { onclick: … }, "text")`. `class`, `data-…` and `aria-…` are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  given?: Given | null,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  set(element, given ?? {});
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a picture. */
export function s(name: string, given?: Given | null, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  set(element, given ?? {});
  append(element, children);
  return element;
}

function set(element: Element, given: Given): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "value" && "value" in element) {
      (element as HTMLInputElement).value = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/** Puts other contents into an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

const ALLOWED = new Set(
  ("a p div span b i em strong code pre ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td br hr blockquote " +
    "dl dt dd del sup sub section")
    .split(" "),
);

/** Markup made of Markdown, without anything that could do more than show text. */
export function harmless(html: string): DocumentFragment {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const found = document.createDocumentFragment();
  for (const node of Array.from(parsed.body.childNodes)) {
    const kept = cleaned(node);
    if (kept) found.append(kept);
  }
  return found;
}

function cleaned(node: Node): Node | null {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent ?? "");
  if (!(node instanceof Element)) return null;
  const name = node.tagName.toLowerCase();
  if (!ALLOWED.has(name)) return null;
  const made = document.createElement(name);
  const model = node.getAttribute("data-model");
  if (model !== null) made.dataset.model = model;
  for (const child of Array.from(node.childNodes)) {
    const kept = cleaned(child);
    if (kept) made.append(kept);
  }
  return made;
}

/** Markup of the program itself: runs, graphs, charts. Inline styles become properties, as the policy wants. */
export function trusted(html: string, element: HTMLElement): void {
  element.innerHTML = html
    .replace(/<\?xml[^>]*\?>/g, "")
    .replace(/<style>[\s\S]*?<\/style>/g, "")
    .replace(/ style="/g, ' data-style="');
  for (const part of Array.from(element.querySelectorAll<HTMLElement | SVGElement>("[data-style]"))) {
    for (const rule of (part.getAttribute("data-style") ?? "").split(";")) {
      const colon = rule.indexOf(":");
      if (colon > 0) part.style.setProperty(rule.slice(0, colon).trim(), rule.slice(colon + 1).trim());
    }
    part.removeAttribute("data-style");
  }
}

const PATHS: Record<string, string> = {
  play: "M5 3.5v9l7.5-4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  save: "M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5 13V9.5h6V13",
  check: "M3 8.5l3.2 3.2L13 5",
  close: "M4 4l8 8M12 4l-8 8",
  sun: "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.2v1.6M8 13.2v1.6M1.2 8h1.6M13.2 8h1.6M3.2 3.2l1.1 1.1M11.7 11.7l1.1 1.1M12.8 3.2l-1.1 1.1M4.3 11.7l-1.1 1.1",
  moon: "M13 9.5A5.5 5.5 0 016.5 3 5.5 5.5 0 1013 9.5z",
  share: "M8 2v8M5 5l3-3 3 3M3.5 8.5v5h9v-5",
  keys: "M2 4.5h12v7H2zM4.5 7h.1M7 7h.1M9.5 7h.1M12 7h.1M5 9.5h6",
  files: "M2.5 3.5h4l1.2 1.5h5.8v7.5h-11z",
  learn: "M2 4l6-2 6 2-6 2zM4.5 5.2v4c1 1.3 6 1.3 7 0v-4M14 4v4.5",
  editor: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
  runs: "M2.5 4h3M2.5 8h3M2.5 12h3M8 4h5.5M8 8h3.5M8 12h4.5",
  simulate: "M8 2.5a5.5 5.5 0 105.5 5.5M8 5v3l2.2 1.6M10.5 2.2h3v3",
  graph: "M3.5 5a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM12.5 7.5a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM6 14.2a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM5.2 3.7l5.6 1.6M4 5l1.6 5.6M11.4 7.2L7.2 11.2",
  growth: "M2.5 13.5h11M2.5 13.5v-11M4.5 11l3-3.5 2.5 2L13.5 4",
  wide: "M2.5 3.5h11v9h-11zM8 3.5v9",
  plus: "M8 3v10M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
};

/** A picture on a button; the button says what it does. */
export function icon(name: string): SVGElement {
  const filled = name === "play" || name === "stop";
  return s(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" },
    s("path", {
      d: PATHS[name] ?? "",
      fill: filled ? "currentColor" : "none",
      stroke: filled ? "none" : "currentColor",
      "stroke-width": 1.4,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}

/** `1,234` */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Tells people with a screen reader, and shows it for a moment. */
export function say(text: string, kind: "plain" | "wrong" = "plain"): void {
  const place = document.getElementById("messages");
  if (!place) return;
  const message = h("div", { class: `message ${kind}` }, text);
  place.append(message);
  setTimeout(() => message.remove(), kind === "wrong" ? 9000 : 4500);
}

/** A dialog with a form; resolves with what was chosen, or null. */
export function dialog(title: string, body: Child, actions: [string, string][]): Promise<string | null> {
  return new Promise((resolve) => {
    const close = (value: string | null) => {
      element.close();
      element.remove();
      resolve(value);
    };
    const element = h(
      "dialog",
      { "aria-label": title, class: "dialog" },
      h("h2", null, title),
      h("div", { class: "dialog-body" }, body),
      h(
        "div",
        { class: "dialog-actions" },
        actions.map(([value, text], index) =>
          h(
            "button",
            { type: "button", class: index === 0 ? "primary" : "", onclick: () => close(value || null) },
            text,
          ),
        ),
      ),
    );
    element.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement && actions[0]) {
        event.preventDefault();
        close(actions[0][0] || null);
      }
    });
    document.body.append(element);
    element.showModal();
    element.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
  });
}
