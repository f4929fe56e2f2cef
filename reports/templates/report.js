"use strict";
(() => {
  const say = (words) => {
    const said = document.getElementById("said");
    said.textContent = words;
    setTimeout(() => { if (said.textContent === words) said.textContent = ""; }, 4000);
  };

  const valueOf = (cell) => cell.dataset.v;

  const sortBy = (table, head) => {
    const at = head.cellIndex, isText = head.classList.contains("text");
    const now = head.getAttribute("aria-sort");
    const ascending = now === null ? isText : now === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const compare = (a, b) => {
      const [one, other] = [valueOf(a.cells[at]), valueOf(b.cells[at])];
      if (one === "" || other === "") return (one === "") - (other === "");  // what is missing stays last
      const order = isText ? one.localeCompare(other, "en", {numeric: true}) : Number(one) - Number(other);
      return ascending ? order : -order;
    };
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
  };

  const harmless = (text, isText) => isText && /^[=+\-@\t\r]/.test(text) && isNaN(Number(text)) ? "'" + text : text;

  const rowsOf = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...table.tBodies[0].rows].map((row) =>
      [...row.cells].map((cell, at) => harmless(valueOf(cell), heads[at].classList.contains("text"))));
    return [heads.map((head) => head.dataset.column), ...rows];
  };

  const quoted = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

  const copy = async (table) => {
    const text = rowsOf(table).map((row) => row.map((cell) => cell.replace(/[\t\n\r]/g, " ")).join("\t")).join("\n");
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // a page from disk may not be allowed to
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) { say("The browser does not let the page copy; download it instead."); return; }
    }
    say("Copied; paste it into a spreadsheet.");
  };

  const download = (table) => {
    const text = rowsOf(table).map((row) => row.map(quoted).join(",")).join("\n") + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "text/csv;charset=utf-8"}));
    link.download = `${table.dataset.file}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(`Saved as ${link.download}, as shown; all columns are in csv/${table.dataset.name}.csv.`);
  };

  const button = (words, title, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    if (title) made.setAttribute("aria-label", title);
    made.addEventListener("click", act);
    return made;
  };

  for (const table of document.querySelectorAll("table[data-name]")) {
    const title = table.caption.textContent;
    for (const head of table.tHead.rows[0].cells) {
      const words = head.textContent;
      head.textContent = "";
      head.append(button(words, "", () => sortBy(table, head)));
    }
    const tools = document.createElement("div");
    tools.className = "tools";
    tools.append(
      button("Copy", `Copy the table: ${title}`, () => copy(table)),
      button("CSV", `Download as CSV: ${title}`, () => download(table)));
    table.closest(".table").append(tools);
  }

})();
