import { sheetBegin, sheetEnd, sheetLine, sheetPart, workbookParts } from '@yunxun/contract/workbook';
import { strToU8, zipSync } from 'fflate';
import type { FileColumn } from './columns.ts';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Stores texts as text cells: formulas cannot run. */
export function toXlsx<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): Blob {
  const exported = columns.filter((column) => column.text);
  const lines = rows.map((row, index) =>
    sheetLine(
      exported.map((column) => column.text?.(row) ?? null),
      index + 2,
    ),
  );
  const sheet = sheetBegin(exported.map(({ title }) => title)) + lines.join('') + sheetEnd;
  const parts = [...workbookParts, { name: sheetPart, content: sheet }];
  const packed = zipSync(Object.fromEntries(parts.map(({ name, content }) => [name, strToU8(content)])));
  return new Blob([packed], { type: xlsxType });
}
