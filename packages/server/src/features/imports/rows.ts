import { imports as contract, type InputOf } from '@yunxun/contract';
import { Failure, invalid } from '../../platform/failure.ts';
import { readTable, Unreadable } from '../../platform/spreadsheet.ts';

export type ImportRow = InputOf<typeof contract.run>['rows'][number];

type Column = Exclude<keyof ImportRow, 'line'>;

/** Column names in both languages; other columns are ignored. */
const heads: Readonly<Record<Column, readonly string[]>> = {
  serial: ['serial', 'sn', 'serial number', 'mac', 'mac address', '序列号', 'mac地址', 'mac 地址', '设备序列号'],
  name: ['name', 'remark', 'device name', '名称', '备注', '设备名称'],
  network: ['network', 'site', '网络', '所属网络', '网络名称'],
  tags: ['tags', 'tag', '标签'],
};

const maxCharacters = 200;

/** Skips empty lines. @throws Failure tooLarge; Invalid */
export async function rowsOf(base64: string): Promise<ImportRow[]> {
  const { rows: maxRows, bytes: maxBytes } = contract.importLimits;
  const file = Buffer.from(base64, 'base64');
  if (file.length > maxBytes) throw new Failure('tooLarge', { data: { limit: maxBytes, rows: maxRows } });
  const table = await readTable(file).catch((error: unknown) => {
    if (error instanceof Unreadable) return invalid('file', 'import.unreadable');
    throw error;
  });
  const [first = [], ...lines] = table;
  const columns = new Map<Column, number>();
  for (const [at, cell] of first.entries()) {
    const text = cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase();
    for (const [column, names] of Object.entries(heads) as [Column, readonly string[]][])
      if (names.includes(text) && !columns.has(column)) columns.set(column, at);
  }
  if (!columns.has('serial')) return invalid('file', 'import.no_serial');
  const cellOf = (cells: readonly string[], column: Column) =>
    (cells[columns.get(column) ?? -1] ?? '').slice(0, maxCharacters);
  const rows = lines.flatMap((cells, index): ImportRow[] => {
    if (cells.every((cell) => cell === '')) return [];
    const row = { serial: cellOf(cells, 'serial'), name: cellOf(cells, 'name'), network: cellOf(cells, 'network') };
    return [{ line: index + 2, ...row, tags: cellOf(cells, 'tags') }];
  });
  if (rows.length > maxRows) throw new Failure('tooLarge', { data: { limit: maxRows, rows: rows.length } });
  return rows;
}

/** Splits at commas (of either language) and spaces. */
export function tagsOf(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[,，、;；\n]+/)
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}
