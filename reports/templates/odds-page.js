"use strict";
// Looks up exact figures in the tables that woolsim has embedded, and writes them as its commands do. It knows no rules.
(() => {
  const TYPES = {u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, i4: Int32Array,
    f8: Float64Array};
  const SHORT = 0, HELPED = 1, MADE = 2;
  const data = JSON.parse(document.getElementById("data").textContent);
  const question = document.getElementById("question"), roll = document.getElementById("roll");
  const at = (id) => document.getElementById(id);

  // Looking up

  function unpacked([kind, text]) {
    return new TYPES[kind](Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer);
  }

  const indexes = data.indexes.map((index) => ({...index, lists: unpacked(index.lists), list: unpacked(index.list)}));
  const tables = {};
  for (const [name, {index, width, rows}] of Object.entries(data.tables)) {
    tables[name] = {index: indexes[index], width, rows: unpacked(rows)};
  }

  // The figure at a place of the row that belongs to a question: goal, target, modifier, chips.
  // Where nothing depends on one of them, its axis has length 1.
  function look(name, asked, place = 0) {
    const {index: {shape, list, lists}, width, rows} = tables[name];
    const [goal, target, modifier, chips] = asked.map((given, axis) => (shape[axis] > 1 ? given : 0));
    const from = list[(goal * shape[1] + target) * shape[2] + modifier] * shape[3];
    return rows[lists[from + chips] * width + place];
  }

  const share = (stage, name, asked, place) => look(`${stage}_${name}`, asked, place) / data.courses[stage];

  // Writing figures as Python does: exact halves go to the even digit

  function fixed(value, digits) {
    const exact = value.toFixed(60), cut = exact.slice(0, exact.length - 60 + digits);
    const half = /^50*$/.test(exact.slice(exact.length - 60 + digits));
    return half && /[02468]$/.test(cut) ? cut : value.toFixed(digits);
  }

  function percent(value, digits) {
    const text = `${fixed(100 * value, digits)}%`, none = `${fixed(0, digits)}%`, all = `${fixed(100, digits)}%`;
    if (value < 1 && text === all) return `>${fixed(100 - 10 ** -digits, digits)}%`;
    if (value > 0 && text === none) return `<${fixed(10 ** -digits, digits)}%`;
    return text;
  }

  const counted = (number, one) => `${number || "no"} ${one}${number === 1 ? "" : "s"}`;
  const cards = (number) => `${number} card${number === 1 ? "" : "s"}`;
  const listed = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");
  const dieName = (die) => `d${data.dice[die]}`;

  // What is chosen

  const chosen = (form, name) => {
    const input = form.querySelector(`input[name="${name}"]:checked`);
    return input && input.value;
  };
  const goal = () => Number(chosen(question, "goal")); // none can be chosen, which is the first, where all agree
  const bid = () => Number(chosen(question, "bid"));
  const asking = (bidAt) => [goal(), data.bids[bidAt][1], Number(at("modifier").value), Number(at("chips").value)];
  const modifier = () => data.lowest_modifier + Number(at("modifier").value);

  function described() {
    const size = modifier(), chips = Number(at("chips").value);
    const words = size === 0 ? "no modifier" : `${size > 0 ? "bonus" : "malus"} ${Math.abs(size)}`;
    return `${words}, ${counted(chips, "chip")}`;
  }

  // Showing

  function element(tag, text, attributes = {}) {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  const WHOLE = {mean_cards: 2, mean_chips_spent: 2};
  const startText = (name, asked) => {
    const value = share("start", name, asked);
    return name in WHOLE ? fixed(value, WHOLE[name]) : percent(value, 1);
  };

  function showStart() {
    const asked = asking(bid());
    at("success").textContent = startText("p_success", asked);
    for (const cell of question.querySelectorAll("[data-start]")) {
      cell.textContent = startText(cell.dataset.start, asked);
    }
    ["p_three", "p_two", "p_one"].forEach((name, way) => {
      at(`bar-${way}`).style.width = `${100 * share("start", name, asked)}%`;
    });
    for (const button of question.querySelectorAll("[data-step]")) {
      const list = at(button.dataset.of);
      button.disabled = !list.options[list.selectedIndex + Number(button.dataset.step)];
    }
  }

  function showAll() {
    const names = ["p_three", "p_two", "p_one", "p_success", "p_under_14", "mean_cards"];
    at("all-caption").textContent = `${described()}; chances in percent`;
    at("all-body").replaceChildren(...data.bids.map(([label], bidAt) => {
      const row = element("tr", "", bidAt === bid() ? {class: "chosen", "aria-current": "true"} : {});
      row.append(element("th", label, {scope: "row"}));
      const asked = asking(bidAt);
      row.append(...names.map((name) => element("td", startText(name, asked).replace("%", ""), {"data-figure": name})));
      return row;
    }));
  }

  // The dice that may be set aside now, each with the state that doing so leads to.
  function optionsOf(attempt, faces, held) {
    const all = [0, 1, 2];
    if (attempt === "first") return all.map((die) => [die, data.offset.first[die] + faces[die] - 1]);
    return all.filter((die) => die !== held).map((die) => {
      const free = 3 - held - die;
      return [die, data.offset.second[free] + faces[held] + faces[die] - 2];
    });
  }

  function showRoll() {
    const attempt = chosen(roll, "attempt"), second = attempt === "second";
    const given = chosen(roll, "held"), held = second && given !== null ? Number(given) : null;
    const faces = [0, 1, 2].map((die) => Number(chosen(roll, `face-${die}`)));
    at("held").hidden = !second;
    for (const die of [0, 1, 2]) {
      const aside = die === held ? " (set aside)" : "";
      roll.querySelector(`[data-shows="${die}"]`).textContent = faces[die] ? `${faces[die]}${aside}` : aside;
    }
    const lacking = faces.flatMap((face, die) => face ? [] : [dieName(die)]);
    if (second && held === null) return wait("Which die was set aside before the 2nd roll?");
    if (lacking.length) return wait(`Tap what the ${listed(lacking)} ${lacking.length > 1 ? "show" : "shows"}.`);
    return showPosition(attempt, faces, held);
  }

  function wait(words) {
    at("verdict").textContent = words;
    at("standing").textContent = "";
    at("options").hidden = true;
  }

  function showPosition(attempt, faces, held) {
    const asked = asking(bid()), total = faces[0] + faces[1] + faces[2], stage = look("standing", asked, total);
    const options = optionsOf(attempt, faces, held);
    const rank = (option) => look(`${attempt}_rank`, asked, option[1]);
    const best = options.reduce((one, other) => (rank(other) < rank(one) ? other : one));
    const accept = stage === HELPED && rank(best) >= look(`${attempt}_accept`, asked, total);
    at("verdict").textContent = verdict(stage, accept, best[0], attempt);
    at("standing").textContent = standing(stage, asked, total, attempt);
    at("options").hidden = stage === MADE;
    if (stage !== MADE) showOptions(attempt, faces, asked, options, best[0], accept);
  }

  const entitled = (attempt) => cards(data.cards[attempt === "first" ? 0 : 1]);

  function verdict(stage, accept, best, attempt) {
    if (stage === MADE) return `The bid is made: take ${entitled(attempt)}.`;
    if (accept) return `Accept help: take ${entitled(attempt)}.`;
    return `${stage === HELPED ? "Decline help and set" : "Set"} aside the ${dieName(best)}.`;
  }

  function standing(stage, asked, total, attempt) {
    const target = data.targets[asked[1]], lacks = look("missing", asked, total), help = look("help", asked, total);
    const start = `Result ${look("result", asked, total)}`.replace("-", "−");
    if (stage === MADE) return `${start}: it reaches ${target} without help, and the turn ends.`;
    const needed = (modifier() > 0 ? "the bonus and " : "") + counted(help, "chip");
    const short = `${start}, ${lacks} short of ${target}`;
    if (stage === HELPED) {
      const what = help === 0 ? "the bonus makes the bid" : `${needed} would make the bid`;
      return `${short}; ${what}: accepting brings ${entitled(attempt)} now.`;
    }
    const chips = asked[3];
    return `${short}; help cannot make it now: it takes ${needed}, and there ${chips === 1 ? "is" : "are"} ${
      chips ? `${counted(chips, "chip")} to spend` : "none to spend"}.`;
  }

  function showOptions(attempt, faces, asked, options, best, accept) {
    const lines = [["success", "p_success"], [cards(data.cards[1]), "p_two"], [cards(data.cards[2]), "p_one"],
      ["fail", "p_fail"], [data.under, "p_under_14"], ["cards", "mean_cards"],
      ["chips spent", "mean_chips_spent"]].filter(([, name]) => attempt === "first" || name !== "p_two");
    const mark = (die) => (die === best ? {class: "best"} : {});
    at("options-dice").replaceChildren(element("td", ""), ...options.map(([die]) => {
      const head = element("th", "", {scope: "col", ...mark(die)});
      head.append(element("b", dieName(die)), `shows ${faces[die]}`);
      if (die === best) head.append(element("span", accept ? "if going on" : "★ best", {class: "mark"}));
      return head;
    }));
    const body = lines.map(([words, name]) => {
      const row = element("tr", "");
      row.append(element("th", words, {scope: "row"}), ...options.map(([die, state]) => {
        const value = share(attempt, name, asked, state);
        const text = name.startsWith("mean") ? fixed(value, 3) : percent(value, 2);
        return element("td", text, {"data-figure": name, "data-die": die, ...mark(die)});
      }));
      return row;
    });
    if (attempt === "first") body.push(buttons(options));
    at("options-body").replaceChildren(...body);
  }

  function buttons(options) {
    const row = element("tr", "", {class: "act"});
    row.append(element("th", "2nd roll with", {scope: "row"}), ...options.map(([die]) => {
      const cell = element("td", "");
      const button = element("button", `${dieName(die)} aside`, {type: "button"});
      button.addEventListener("click", () => goOn(die));
      cell.append(button);
      return cell;
    }));
    return row;
  }

  // Doing

  function clear(names) {
    for (const name of names) {
      for (const input of roll.querySelectorAll(`input[name="${name}"]:checked`)) input.checked = false;
    }
  }

  function goOn(die) {
    const others = [0, 1, 2].filter((other) => other !== die);
    roll.querySelector('input[name="attempt"][value="second"]').checked = true;
    roll.querySelector(`input[name="held"][value="${die}"]`).checked = true;
    clear(others.map((other) => `face-${other}`));
    showRoll();
    focusOn(`face-${others[0]}`);
  }

  function focusOn(name) {
    const first = roll.querySelector(`input[name="${name}"]`);
    first.focus();
    first.closest("fieldset").scrollIntoView({block: "nearest"});
  }

  at("again").addEventListener("click", () => {
    roll.reset();
    showRoll();
    focusOn("face-0");
  });
  for (const button of question.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      at(button.dataset.of).selectedIndex += Number(button.dataset.step);
      show();
    });
  }
  for (const form of [question, roll]) {
    form.addEventListener("submit", (event) => event.preventDefault());
  }
  function show() {
    showStart();
    showAll();
    showRoll();
  }
  question.addEventListener("change", show);
  roll.addEventListener("change", showRoll);
  at("main").hidden = false;
  show();
})();
