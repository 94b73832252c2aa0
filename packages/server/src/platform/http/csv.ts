export type Cell = string | number | boolean | null;

export const byteOrderMark = '\uFEFF';

/** Starts a formula (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r]/;

/** Returns RFC 4180; formulas get an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
