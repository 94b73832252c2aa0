import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import readXlsx from 'read-excel-file/node';
import { BadArchive, unzip } from '../../platform/http/unzip.ts';
import { zip } from '../../platform/http/zip.ts';

/** What a spreadsheet may inflate to: beyond, it is no list of devices. */
const mostInflated = 16_000_000;

/** Where cells may stand. The reader fills every gap up to the farthest that a file names, and a file may name any. */
const farthest = { line: 10_000, column: 100 };

/** The file holds no table that can be read. */
export class Unreadable extends Error {}

/** The cells of a CSV or xlsx file as texts, line by line. @throws Unreadable */
export async function readTable(file: Buffer): Promise<string[][]> {
  if (file.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]))) return readSheet(file);
  if (file.includes(0)) throw new Unreadable('neither text nor a spreadsheet');
  return readCsv(textOf(file));
}

/** The first sheet. Its parts are inflated here, where their size is bounded, and packed anew for the reader. */
async function readSheet(file: Buffer): Promise<string[][]> {
  try {
    const parts = unzip(file, (name) => /\.(xml|rels)$/.test(name), mostInflated);
    const bounded = [...parts].map(([name, content]) => ({ name, content: content.toString('utf8') }));
    if (bounded.some(({ content }) => content.includes('sheetData') && !isNear(content)))
      throw new Unreadable('cells far out');
    const [sheet] = await readXlsx(await buffer(Readable.from(zip(bounded))));
    return (sheet?.data ?? []).map((row) => row.map((cell) => (cell === null ? '' : String(cell).trim())));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (error instanceof BadArchive) throw new Unreadable(error.message);
    throw new Unreadable('no spreadsheet', { cause: error });
  }
}

/** Whether every place that a sheet names, `r` of rows and cells, is one that spreadsheets write, and not far out. */
function isNear(sheet: string): boolean {
  for (const [, ...quoted] of sheet.matchAll(/\br\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/g)) {
    const [, letters, line] = /^([A-Z]{0,2})(\d{1,5})$/.exec(quoted.find((text) => text !== undefined) ?? '') ?? [];
    if (letters === undefined || Number(line) > farthest.line) return false;
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    if (column > farthest.column) return false;
  }
  return true;
}

/** UTF-8, or what spreadsheets in China write where they are not told otherwise. */
function textOf(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('gb18030').decode(file);
  }
}

/** Rows of a CSV text (RFC 4180); the separator is whichever the first line has most of: comma, semicolon or tab. */
export function readCsv(text: string): string[][] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const often = (sign: string) => first.split(sign).length;
  const [separator] = [',', ';', '\t'].toSorted((a, b) => often(b) - often(a)) as [string];
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    // what our own files put before a text that a spreadsheet would compute
    row.push(cell.replace(/^'(?=[=+\-@])/, '').trim());
    cell = '';
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (sign === separator) endCell();
    else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}
