import { t } from '../../app/i18n.ts';
import type { Column, FileColumn } from './columns.ts';

/** Between several values of one cell: a spreadsheet and our own import take it for no other separator. */
export const between = '; ';

/** Several values as one cell of a file; null where there are none. */
export const joined = (values: readonly (string | number | null)[]): string | null =>
  values.filter((value) => value !== null && value !== '').join(between) || null;

/** The columns of a file: what tells the rows apart first, shown or not, then what else is shown. */
export function fileColumns<Row>(all: readonly Column<Row>[], visible: readonly Column<Row>[]): FileColumn<Row>[] {
  const first = all.filter(({ inFiles }) => inFiles);
  return [...first, ...visible.filter(({ inFiles }) => !inFiles)].flatMap((column): FileColumn<Row>[] => {
    if (column.files) return [...column.files];
    const { title, unit, text } = column;
    return text ? [{ title: unit ? t('table.file_unit', { title, unit }) : title, text }] : [];
  });
}

/** The head of one of several values of a column: “Rate: Download (bit/s)”. */
export function partHead(title: string, part: string, unit?: string): string {
  const head = t('table.file_part', { title, part });
  return unit ? t('table.file_unit', { title: head, unit }) : head;
}
