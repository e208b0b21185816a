(() => {
  "use strict";

  /** Return what a cell is sorted by: its first number, else its text; nothing for a dash. */
  const keyOf = (cell) => {
    const text = cell.textContent.trim();
    if (text === "-" || text === "") return null;
    const number = /^[<>]?([+-]?\d+(?:\.\d+)?)/.exec(text);
    return number ? Number(number[1]) : text;
  };

  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), "en", { numeric: true });

  /** Sort the rows of a table by a column; cells without a value are last either way. */
  const sort = (table, column, sign) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, key: keyOf(row.cells[column]) }));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return sign * compare(a.key, b.key);
    });
    body.append(...rows.map(({ row }) => row));
  };

  const makeSortable = (table) => {
    const cells = Array.from(table.tHead.rows[0].cells);
    const headings = cells.filter((cell) => cell.tagName === "TH");
    for (const heading of headings) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      heading.setAttribute("aria-sort", "none");
      const first = heading.classList.contains("num") && button.textContent.trim() !== "rank" ? -1 : 1;
      button.addEventListener("click", () => {
        const now = heading.getAttribute("aria-sort");
        const sign = now === "none" ? first : now === "ascending" ? -1 : 1;
        for (const other of headings) other.setAttribute("aria-sort", "none");
        heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        sort(table, cells.indexOf(heading), sign);
      });
    }
  };

  document.querySelectorAll("table.sortable").forEach(makeSortable);
})();
