import type { FileColumn } from './columns.ts';

/** Rows as CSV (RFC 4180) with a byte-order mark, so that spreadsheets read Chinese. Formulas are escaped. */
export function toCsv<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.text);
  const lines = [exported.map((column) => cell(column.title)).join(',')];
  for (const row of rows) lines.push(exported.map((column) => cell(column.text?.(row) ?? '')).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

function cell(value: string | number): string {
  // A device or a guest can choose a name; one that begins like a formula must stay text in a spreadsheet.
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a file to the browser's downloads. */
export function download(name: string, content: string, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  fetchFile(address, name);
  URL.revokeObjectURL(address);
}

/** Has the browser download what is at an address; without a name, the one that the server gives it. */
export function fetchFile(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
