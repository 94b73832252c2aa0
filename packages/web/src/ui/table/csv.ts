import type { FileColumn } from './columns.ts';

/** Formats RFC 4180 with a byte-order mark, which marks UTF-8. Escapes formulas. */
export function toCsv<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): string {
  const exported = columns.filter((column) => column.text);
  const lines = [exported.map((column) => cell(column.title)).join(',')];
  for (const row of rows) lines.push(exported.map((column) => cell(column.text?.(row) ?? '')).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

function cell(value: string | number): string {
  // Formula injection: devices and guests choose their names.
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : asText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets round numbers of more than 15 digits. */
const asText = (value: string | number): string => (/^\d{16,}$/.test(String(value)) ? `${value}\t` : String(value));

export function download(name: string, content: string | Blob, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  fetchFile(address, name);
  URL.revokeObjectURL(address);
}

/** Uses the server's file name without `name`. */
export function fetchFile(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
