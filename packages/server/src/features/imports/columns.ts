import { imports as contract } from '@yunxun/contract';
import { Failure, invalid } from '../../platform/failure.ts';
import { nameKey } from '../../platform/search/index.ts';
import { readTable, Unreadable } from '../../platform/spreadsheet.ts';

/** Column names, as `nameKey`; others are ignored. */
export type Heads<Column extends string> = Readonly<Record<Column, readonly string[]>>;

export type CellsOf<Column extends string> = Record<Column, string> & { line: number };

const maxCharacters = 200;

/**
 * Reads rows by the heads in the first line. `needed`: a required column, and the message key without it.
 * @throws Failure tooLarge; Invalid beside `file`
 */
export async function readColumns<Column extends string>(
  base64: string,
  heads: Heads<Column>,
  needed: { column: Column; missing: string },
): Promise<CellsOf<Column>[]> {
  const { rows: maxRows, bytes: maxBytes } = contract.importLimits;
  const file = Buffer.from(base64, 'base64');
  if (file.length > maxBytes) throw new Failure('tooLarge', { data: { limit: maxBytes, rows: maxRows } });
  const table = await readTable(file).catch((error: unknown) => {
    if (error instanceof Unreadable) return invalid('file', 'import.unreadable');
    throw error;
  });
  const [first = [], ...lines] = table;
  const names = Object.entries(heads) as [Column, readonly string[]][];
  const columns = new Map<Column, number>();
  for (const [at, cell] of first.entries()) {
    const text = nameKey(cell.replace(/^\uFEFF/, ''));
    for (const [column, known] of names) if (known.includes(text) && !columns.has(column)) columns.set(column, at);
  }
  if (!columns.has(needed.column)) return invalid('file', needed.missing);
  const rows = lines.flatMap((cells, index): CellsOf<Column>[] => {
    if (cells.every((cell) => cell === '')) return [];
    const entries = names.map(([column]) => [column, (cells[columns.get(column) ?? -1] ?? '').slice(0, maxCharacters)]);
    return [{ line: index + 2, ...(Object.fromEntries(entries) as Record<Column, string>) }];
  });
  if (rows.length > maxRows) throw new Failure('tooLarge', { data: { limit: maxRows, rows: rows.length } });
  return rows;
}
