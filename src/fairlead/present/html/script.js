/* Steps through the runs of a page. The tables are there without it; it adds a cursor, and what it points at.
   A notebook has it once for each output: runs that are ready are left alone. */
(function () {
  "use strict";

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  /* who takes part; of a handshake, who sends and who receives */
  function by(who) {
    return (who.includes(" → ") ? "" : "by ") + who;
  }

  function Run(root) {
    this.root = root;
    this.data = JSON.parse(root.querySelector(".fl-data").textContent);
    this.table = root.querySelector(".fl-timeline");
    this.scroll = this.table.parentElement;
    this.panel = root.querySelector(".fl-panel");
    this.rows = Array.from(this.table.querySelectorAll(".fl-step"));
    this.index = 0;
    this.round = 1;
    this.showsBlocked = false;
    this.timer = null;
    const block = root.closest(".fl-evidence");
    this.graph = block ? block.querySelector(".fl-graph") : null;
    this.loopStart = this.data.loop
      ? this.data.rows.findIndex((row) => row[0] > this.data.offset + this.data.stem)
      : -1;
    this.prepare();
  }

  Run.prototype.text = function (number) {
    return number < 0 ? "" : this.data.texts[number];
  };

  Run.prototype.state = function (index) {
    return this.data.states[this.data.rows[index][1]];
  };

  Run.prototype.prepare = function () {
    this.root.classList.add("fl-ready");
    this.makeTools();
    this.panel.hidden = false;
    this.table.tabIndex = 0;
    this.table.setAttribute("role", "grid");
    this.table.setAttribute("aria-describedby", this.help.id);
    this.prepareText();
    this.rows.forEach((row, index) => row.addEventListener("click", () => this.choose(index)));
    this.root.addEventListener("keydown", (event) => this.key(event));
    if (this.graph) this.prepareGraph();
    const atEnd = "atEnd" in this.root.dataset;
    this.choose(atEnd ? this.rows.length - 1 : 0, true);
    if (atEnd) this.reveal(this.rows[this.index]);
  };

  Run.prototype.makeTools = function () {
    const tools = this.root.querySelector(".fl-tools");
    const add = (label, title, action) => {
      const button = element("button", label);
      button.type = "button";
      button.title = title;
      button.setAttribute("aria-label", title);
      button.addEventListener("click", action);
      tools.append(button);
      return button;
    };
    add("|◀", "first state (Home)", () => this.choose(0));
    add("◀ back", "step back (left or up arrow)", () => this.move(-1));
    add("next ▶", "next step (right or down arrow)", () => this.move(1));
    add("▶|", "last state (End)", () => this.choose(this.rows.length - 1));
    if (this.loopStart > 0) add("↺ loop", "first step of the loop (L)", () => this.choose(this.loopStart));
    this.playButton = add("play", "play through (space)", () => this.togglePlay());
    this.where = element("output");
    tools.append(this.where);
    this.help = element("span", "Arrow keys step through the run, space plays it.");
    this.help.id = this.root.dataset.name + "-help";
    this.help.hidden = true;
    tools.append(this.help);
    tools.hidden = false;
  };

  Run.prototype.prepareGraph = function () {
    this.graph.classList.add("fl-ready-graph");
    this.graph.querySelectorAll(".node").forEach((node) => {
      const number = Number(node.dataset.state);
      const index = this.data.rows.findIndex((row) => this.data.states[row[1]].drawn === number);
      if (index >= 0) node.addEventListener("click", () => this.choose(index));
    });
  };

  /* the text of the model is on the page once; each run has a copy, to mark where it is */
  Run.prototype.prepareText = function () {
    this.listing = this.root.querySelector(".fl-listing");
    const page = this.root.closest(".fairlead");
    const sources = this.listing ? Array.from(page.querySelectorAll(".fl-source")) : [];
    if (!sources.length) return;
    this.texts = sources.map((source) => {
      const copy = source.querySelector("table").cloneNode(true);
      copy.querySelectorAll("[id]").forEach((line) => line.removeAttribute("id"));
      this.listing.append(copy);
      return copy;
    });
    this.marked = [];
    this.listing.hidden = false;
    this.root.classList.add("fl-with-text");
  };

  /* ------------------------------------------------------------ moving */

  Run.prototype.move = function (by) {
    const next = this.index + by;
    if (next >= this.rows.length) {
      if (this.loopStart < 0) return this.stop();
      this.round += 1;
      return this.choose(this.loopStart, false, true);
    }
    if (next < 0) return undefined;
    if (by < 0 && this.index === this.loopStart && this.round > 1) {
      this.round -= 1;
      return this.choose(this.rows.length - 1, false, true);
    }
    return this.choose(next, false, this.loopStart >= 0 && next >= this.loopStart);
  };

  Run.prototype.key = function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const inControl = /^(A|BUTTON|SUMMARY)$/.test(event.target.tagName);
    const actions = {
      ArrowRight: () => this.move(1),
      ArrowDown: () => this.move(1),
      ArrowLeft: () => this.move(-1),
      ArrowUp: () => this.move(-1),
      Home: () => this.choose(0),
      End: () => this.choose(this.rows.length - 1),
    };
    if (!inControl) actions[" "] = () => this.togglePlay();
    if (this.loopStart >= 0) actions.l = () => this.choose(this.loopStart);
    const action = actions[event.key];
    if (!action) return;
    if (event.key !== " ") this.stop();
    action();
    event.preventDefault();
    event.stopPropagation();
  };

  Run.prototype.togglePlay = function () {
    if (this.timer) return this.stop();
    if (this.loopStart < 0 && this.index === this.rows.length - 1) this.choose(0);
    this.timer = setInterval(() => {
      if (document.contains(this.root)) this.move(1);
      else this.stop();
    }, 900);
    this.playButton.textContent = "pause";
    return undefined;
  };

  Run.prototype.stop = function () {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "play";
  };

  Run.prototype.choose = function (index, quietly, sameRound) {
    if (!sameRound) this.round = 1;
    const old = this.rows[this.index];
    old.classList.remove("fl-chosen");
    old.removeAttribute("aria-selected");
    this.index = index;
    this.rows[index].classList.add("fl-chosen");
    this.rows[index].setAttribute("aria-selected", "true");
    this.table.setAttribute("aria-activedescendant", this.rows[index].id);
    this.where.textContent = this.place();
    this.showState();
    this.showText();
    if (!quietly) {
      this.reveal(this.rows[index]);
      this.showInGraph();
      this.tell();
    }
  };

  /* tells who shows the page which step is chosen: an editor can show the lines in its own window */
  Run.prototype.tell = function () {
    const places = this.data.places ? this.data.places[this.index] : [];
    const stands = this.state(this.index).at || [];
    const detail = { step: this.data.rows[this.index][0], places: places, stands: stands };
    this.root.dispatchEvent(new CustomEvent("fairlead-step", { bubbles: true, detail: detail }));
  };

  /* scrolls the table, and never the page */
  Run.prototype.reveal = function (row) {
    const head = this.table.tHead.offsetHeight;
    const top = row.offsetTop;
    const bottom = row === this.rows[this.rows.length - 1] ? this.table.offsetHeight : top + row.offsetHeight;
    if (top < this.scroll.scrollTop + head) this.scroll.scrollTop = top - head;
    else if (bottom > this.scroll.scrollTop + this.scroll.clientHeight)
      this.scroll.scrollTop = bottom - this.scroll.clientHeight;
  };

  Run.prototype.place = function () {
    const number = this.data.rows[this.index][0];
    const first = this.data.offset + this.data.stem;
    const last = first + this.data.loop;
    if (this.data.loop && number > first) {
      const round = this.round > 1 ? ", round " + this.round : "";
      return "step " + number + " of " + last + ": " + (number - first) + " of " + this.data.loop + " in the loop" + round;
    }
    return this.index === 0 ? "start of the run" : "step " + number + " of " + last;
  };

  /* ------------------------------------------------------------ the panel */

  Run.prototype.showState = function () {
    const [number, , event, who] = this.data.rows[this.index];
    const before = this.stateBefore();
    const now = this.state(this.index);
    const start = number === 0 ? "Start" : "After step " + number;
    const title = event < 0 ? start : "After step " + number + ": " + this.text(event);
    const parts = [element("h4", title)];
    if (event >= 0 && this.text(who)) parts.push(element("div", by(this.text(who)), "fl-quiet"));
    this.addTable(parts, "Values", before && before.values, now.values);
    this.addTable(parts, "Processes are at", before && before.processes, now.processes);
    this.addEnabled(parts, now);
    this.addBlocked(parts, now);
    this.panel.replaceChildren(...parts);
    this.panel.scrollTop = 0;
  };

  /* the state before the chosen step, unless it is left out */
  Run.prototype.stateBefore = function () {
    if (this.index === 0) return null;
    if (this.index === this.loopStart && this.round > 1) return this.state(this.rows.length - 1);
    const gap = this.data.rows[this.index][0] - this.data.rows[this.index - 1][0] > 1;
    return gap ? null : this.state(this.index - 1);
  };

  Run.prototype.addTable = function (parts, title, before, after) {
    if (!after.length) return;
    const old = new Map(before || []);
    const table = element("table");
    after.forEach(([name, value]) => {
      const row = table.insertRow();
      const changed = before && old.get(name) !== value;
      row.append(element("th", (changed ? "● " : "") + this.text(name)));
      const was = changed && old.has(name) ? this.text(old.get(name)) + " → " : "";
      row.append(element("td", was + this.text(value)));
      if (changed) row.className = "fl-changed";
    });
    parts.push(element("h4", title), table);
  };

  Run.prototype.addEnabled = function (parts, now) {
    if (now.ending) {
      parts.push(element("h4", "Possible now"), element("div", now.ending));
      return;
    }
    const next = this.nextStep();
    const list = element("ul");
    now.enabled.forEach(([event, who], place) => {
      const taken = next && next[4] === place;
      const whose = this.text(who) ? " " + by(this.text(who)) : "";
      list.append(element("li", (taken ? "→ " : "") + this.text(event) + whose + (taken ? " (taken next)" : ""), taken ? "fl-next" : ""));
    });
    if (now.more) list.append(element("li", "… " + now.more + " more", "fl-quiet"));
    parts.push(element("h4", "Possible now (" + (now.enabled.length + now.more) + ")"), list);
  };

  /* folded; it stays open from step to step once somebody has opened it */
  Run.prototype.addBlocked = function (parts, now) {
    if (!now.blocked) return;
    const list = element("ul");
    now.blocked.forEach(([who, why]) => list.append(element("li", this.text(who) + ": " + this.text(why))));
    if (now.more_blocked) list.append(element("li", "… " + now.more_blocked + " more", "fl-quiet"));
    const folded = element("details", "", "fl-blocked");
    folded.open = this.showsBlocked;
    folded.addEventListener("toggle", () => { this.showsBlocked = folded.open; });
    folded.append(element("summary", "Not enabled, and why (" + (now.blocked.length + now.more_blocked) + ")"), list);
    parts.push(folded);
  };

  Run.prototype.nextStep = function () {
    const next = this.data.rows[this.index + 1];
    if (!next) return this.loopStart >= 0 ? this.data.rows[this.loopStart] : null;
    return next[0] - this.data.rows[this.index][0] === 1 ? next : null;
  };

  /* ------------------------------------------------------------ the text of the model */

  Run.prototype.line = function (text, number) {
    return this.texts[text].tBodies[0].rows[number - 1];
  };

  Run.prototype.showText = function () {
    if (!this.texts) return;
    this.marked.forEach((line) => {
      line.className = "";
      const code = line.querySelector("code");
      code.textContent = code.textContent;
      line.querySelectorAll(".fl-stands").forEach((note) => note.remove());
    });
    this.marked = [];
    const parts = this.data.places[this.index].map((part) => [...part, "fl-executed"]);
    const last = this.index === this.rows.length - 1;
    if (last && this.data.fails) parts.push([...this.data.fails, "fl-failing"]);
    /* from the end of a line on, so that what is before keeps its columns */
    parts.sort((one, other) => other[2] - one[2]);
    parts.forEach(([text, number, start, end, name]) => this.mark(this.line(text, number), start, end, name));
    const who = new Map();
    this.state(this.index).at.forEach(([text, number, process]) => {
      const line = this.line(text, number);
      who.set(line, [...(who.get(line) || []), this.text(process)]);
    });
    who.forEach((names, line) => {
      line.cells[1].append(element("span", "◂ " + names.join(", "), "fl-stands"));
      this.marked.push(line);
    });
    this.revealText(parts, who);
  };

  Run.prototype.mark = function (line, start, end, name) {
    const code = line.querySelector("code");
    const first = code.firstChild;
    line.classList.add("fl-current");
    this.marked.push(line);
    if (!first || first.nodeType !== Node.TEXT_NODE || end <= start || end > first.length) return;
    const rest = first.splitText(start);
    rest.splitText(end - start);
    const mark = element("mark", rest.data, name);
    rest.replaceWith(mark);
  };

  /* shows the text that the chosen step executes, or that a process stands in, and scrolls to the line */
  Run.prototype.revealText = function (parts, who) {
    const failing = parts.filter((part) => part[4] === "fl-failing");
    const wanted = failing.length ? failing : parts;
    const lines = wanted.length ? wanted.map((part) => this.line(part[0], part[1])) : [...who.keys()].slice(0, 1);
    if (!lines.length) return;
    const shown = new Set([...this.marked, ...lines].map((line) => line.closest("table")));
    const needed = new Set(lines.map((line) => line.closest("table")));
    this.texts.forEach((text) => (text.hidden = !(parts.length ? needed : shown).has(text)));
    const tops = lines.map((line) => line.closest("table").offsetTop + line.offsetTop);
    const [line, box] = [lines[0], this.listing];
    const head = line.closest("table").tHead.offsetHeight;
    const top = Math.min(...tops);
    const bottom = Math.max(...tops) + line.offsetHeight;
    if (top < box.scrollTop + head || bottom > box.scrollTop + box.clientHeight)
      box.scrollTop = Math.max(0, top - head - line.offsetHeight * 2);
    const mark = lines[lines.length - 1].querySelector("mark");
    const right = mark ? mark.getBoundingClientRect().right - box.getBoundingClientRect().left + box.scrollLeft : 0;
    box.scrollLeft = Math.max(0, right - box.clientWidth + 24);
  };

  /* ------------------------------------------------------------ the graph */

  Run.prototype.showInGraph = function () {
    if (!this.graph) return;
    this.graph.querySelectorAll(".fl-here").forEach((mark) => mark.classList.remove("fl-here"));
    const here = this.state(this.index).drawn;
    if (here === undefined) return;
    const mark = (selector) => {
      const found = this.graph.querySelector(selector);
      if (found) found.classList.add("fl-here");
    };
    mark('.node[data-state="' + here + '"]');
    const before = this.stateBefore();
    if (before && before.drawn !== undefined)
      mark('.transition[data-from="' + before.drawn + '"][data-to="' + here + '"]');
  };

  /* ------------------------------------------------------------ links to steps */

  function follow(event, runs) {
    const link = event.target.closest("a[data-step]");
    if (!link) return;
    const row = document.getElementById(link.getAttribute("href").slice(1));
    if (!row) return;
    const run = runs.find((candidate) => candidate.root.contains(row));
    if (!run) return;
    run.stop();
    run.choose(run.rows.indexOf(row));
    run.table.focus({ preventScroll: true });
    const box = run.root.getBoundingClientRect();
    if (box.top < 0 || box.top > window.innerHeight - 100) run.root.scrollIntoView({ block: "start" });
    event.preventDefault();
  }

  document.querySelectorAll(".fairlead:not([data-ready])").forEach((page) => {
    page.dataset.ready = "";
    const runs = Array.from(page.querySelectorAll(".fl-run"), (root) => new Run(root));
    page.addEventListener("click", (event) => follow(event, runs));
    const closed = [];
    window.addEventListener("beforeprint", () => {
      page.querySelectorAll("details:not([open])").forEach((item) => {
        item.open = true;
        closed.push(item);
      });
    });
    window.addEventListener("afterprint", () => closed.splice(0).forEach((item) => (item.open = false)));
  });
})();
