import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import readXlsx from 'read-excel-file/node';
import { BadArchive, unzip } from './http/unzip.ts';
import { zip } from './http/zip.ts';
import { BadWorkbook, isXls, readXls } from './xls.ts';

/** Inflated bytes; more is no list of devices. */
const maxInflated = 16_000_000;

/** The reader fills every gap to the farthest cell, which the file controls. */
const farthest = { line: 10_000, column: 100 };

export class Unreadable extends Error {}

/** @throws Unreadable */
export async function readTable(file: Buffer): Promise<string[][]> {
  if (isSpreadsheet(file)) return readSpreadsheet(file);
  if (file.includes(0)) throw new Unreadable('neither text nor a spreadsheet');
  return readCsv(textOf(file));
}

const isXlsx = (file: Buffer) => file.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]));

export const isSpreadsheet = (file: Buffer): boolean => isXlsx(file) || isXls(file);

/** Reads the first sheet of xlsx or xls. @throws Unreadable */
export async function readSpreadsheet(file: Buffer): Promise<string[][]> {
  if (!isXls(file)) return readXlsxSheet(file);
  try {
    return readXls(file, farthest);
  } catch (error) {
    if (error instanceof BadWorkbook || error instanceof RangeError) throw new Unreadable(error.message);
    throw error;
  }
}

/** Inflates parts with a size limit and repacks them for the reader. */
async function readXlsxSheet(file: Buffer): Promise<string[][]> {
  try {
    const parts = unzip(file, (name) => /\.(xml|rels)$/.test(name), maxInflated);
    const bounded = [...parts].map(([name, content]) => ({ name, content: content.toString('utf8') }));
    if (bounded.some(({ content }) => content.includes('sheetData') && !isNear(content)))
      throw new Unreadable('cells far out');
    const [sheet] = await readXlsx(await buffer(Readable.from(zip(bounded))));
    return (sheet?.data ?? []).map((row) => row.map(cellText));
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (error instanceof BadArchive) throw new Unreadable(error.message);
    throw new Unreadable('no spreadsheet', { cause: error });
  }
}

/**
 * Writes a date as its day. A whole number beyond 2^53 has lost digits in the spreadsheet: its exponent tells rules for
 * identity numbers so.
 */
function cellText(cell: unknown): string {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  if (typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER) return cell.toExponential();
  return String(cell).trim();
}

/** Returns whether every reference `r` of rows and cells is valid and within `farthest`. */
function isNear(sheet: string): boolean {
  for (const [, ...quoted] of sheet.matchAll(/\br\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/g)) {
    const [, letters, line] = /^([A-Z]{0,2})(\d{1,5})$/.exec(quoted.find((text) => text !== undefined) ?? '') ?? [];
    if (letters === undefined || Number(line) > farthest.line) return false;
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    if (column > farthest.column) return false;
  }
  return true;
}

/** Decodes UTF-8, or GB18030, the default of spreadsheets in China. */
function textOf(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('gb18030').decode(file);
  }
}

/** Parses RFC 4180; the separator is the most frequent of comma, semicolon and tab in the first line. */
export function readCsv(text: string): string[][] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const often = (sign: string) => first.split(sign).length;
  const [separator] = [',', ';', '\t'].toSorted((a, b) => often(b) - often(a)) as [string];
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    // removes the apostrophe that our own files put before formula text
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
