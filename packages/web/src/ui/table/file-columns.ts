import { t } from '../../app/i18n.ts';
import type { Column, FileColumn } from './columns.ts';

/** Of values in one cell; unused by CSV and our import. */
export const between = '; ';

export const joined = (values: readonly (string | number | null)[]): string | null =>
  values.filter((value) => value !== null && value !== '').join(between) || null;

/** Orders identifying columns first, then visible ones. */
export function fileColumns<Row>(all: readonly Column<Row>[], visible: readonly Column<Row>[]): FileColumn<Row>[] {
  const first = all.filter(({ inFiles }) => inFiles);
  return [...first, ...visible.filter(({ inFiles }) => !inFiles)].flatMap((column): FileColumn<Row>[] => {
    if (column.files) return [...column.files];
    const { title, unit, text } = column;
    return text ? [{ title: unit ? t('table.file_unit', { title, unit }) : title, text }] : [];
  });
}

export function partHead(title: string, part: string, unit?: string): string {
  const head = t('table.file_part', { title, part });
  return unit ? t('table.file_unit', { title: head, unit }) : head;
}
