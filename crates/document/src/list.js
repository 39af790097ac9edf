// Lets the rows of lists be sorted by any column and searched. Without it a list is a table like any other.
for (const table of document.querySelectorAll("table.list")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows].map((row) => ({ row, text: [...row.cells].map((cell) => cell.textContent.toLowerCase()).join("\n") }));
  if (rows.length < 2) continue;

  const collator = new Intl.Collator("en", { numeric: true });
  const value = (row, column) => {
    const { dataset, textContent } = row.cells[column];
    return "figure" in dataset ? Number(dataset.figure) : textContent;
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));
  const sort = (head, column) => {
    const numeric = rows.some(({ row }) => "figure" in row.cells[column].dataset);
    const order = head.ariaSort ? (head.ariaSort === "ascending" ? "descending" : "ascending") : numeric ? "descending" : "ascending";
    const sign = order === "ascending" ? 1 : -1;
    const keyed = rows.map(({ row }) => ({ row, key: value(row, column) }));
    keyed.sort((a, b) => sign * compare(a.key, b.key));
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    body.append(...keyed.map(({ row }) => row));
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(head, column));
    head.replaceChildren(button);
  });

  const label = document.createElement("label");
  const input = document.createElement("input");
  const found = document.createElement("output");
  label.className = "find";
  input.type = "search";
  label.append("Search ", input, " ", found);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !text.includes(wanted);
      if (!row.hidden) shown += 1;
    }
    found.textContent = wanted && `${shown} of ${rows.length} rows`;
  });
  table.parentElement.before(label);
}
