/** One-sheet xlsx parts (ECMA-376 part 1, 12.2 and 18). The caller packs the ZIP archive. */

/** A cell; times become wall-clock dates. */
export type WorkbookCell = string | number | boolean | null | { wallClockMs: number };

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

export const workbookParts: readonly { name: string; content: string }[] = [
  {
    name: '[Content_Types].xml',
    content: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    content: `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/workbook.xml',
    content: `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  },
  {
    name: 'xl/styles.xml',
    // 0: plain; 1: date and time; 2: column header
    content: `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  },
];

export const sheetPart = 'xl/worksheets/sheet1.xml';

/** Starts the sheet with a frozen header row. */
export function sheetBegin(heads: readonly string[]): string {
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const wide = `<cols><col min="1" max="${Math.max(1, heads.length)}" width="20" customWidth="1"/></cols>`;
  const cells = heads.map((text, index) => textCell(text, `${columnName(index)}1`, 2)).join('');
  return `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews>${wide}<sheetData><row r="1">${cells}</row>`;
}

export const sheetEnd = '</sheetData></worksheet>';

/** Day number of 1970-01-01, counted from 1899-12-30. */
const day = 86_400_000;
const unixDay = 25_569;

/** Formats a row; the header is row 1. Cells carry addresses because some readers do not count. */
export function sheetLine(cells: readonly WorkbookCell[], number: number): string {
  const inside = cells.map((value, index) => cell(value, `${columnName(index)}${number}`)).join('');
  return `<row r="${number}">${inside}</row>`;
}

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

function cell(value: WorkbookCell, at: string): string {
  if (value === null || value === '') return '';
  if (typeof value === 'string') return textCell(value, at, 0);
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') return Number.isFinite(value) ? `<c r="${at}"><v>${value}</v></c>` : '';
  return `<c r="${at}" s="1"><v>${value.wallClockMs / day + unixDay}</v></c>`;
}

/** Excluded by XML 1.0 even escaped: control characters, lone surrogates, U+FFFE, U+FFFF. */
const unwritable = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;
const maxCharacters = 32_767;

/** Inline strings are never evaluated as formulas. */
function textCell(text: string, at: string, style: number): string {
  const escaped = text
    .slice(0, maxCharacters)
    .replace(unwritable, '')
    .replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!);
  return `<c r="${at}" t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped}</t></is></c>`;
}
