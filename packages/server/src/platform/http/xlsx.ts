import {
  sheetBegin,
  sheetEnd,
  sheetLine,
  sheetPart,
  type WorkbookCell,
  workbookParts,
} from '@yunxun/contract/workbook';
import { zip } from './zip.ts';

export type XlsxCell = WorkbookCell;

type Groups = AsyncIterable<readonly (readonly XlsxCell[])[]>;

export function xlsx(heads: readonly string[], rows: Groups): AsyncGenerator<Uint8Array> {
  return zip([...workbookParts, { name: sheetPart, content: sheet(heads, rows) }]);
}

async function* sheet(heads: readonly string[], rows: Groups): AsyncGenerator<string> {
  yield sheetBegin(heads);
  let number = 1;
  for await (const group of rows) {
    yield group
      .map((row) => {
        number += 1;
        return sheetLine(row, number);
      })
      .join('');
  }
  yield sheetEnd;
}
