/** What a spreadsheet may stand in a cell. */
export type Cell = string | number | boolean | null;

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';

/** What spreadsheets take for the beginning of a formula (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r]/;

/** One line of a CSV file (RFC 4180), the line break included. A text that a spreadsheet would compute gets an apostrophe before it. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
