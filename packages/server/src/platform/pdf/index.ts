import { setImmediate as breathe } from 'node:timers/promises';
import type { Locale } from '@yunxun/contract';
import { withoutBidi } from '@yunxun/contract/plain-text';
import PDFDocument from 'pdfkit';
import type { Block, Column } from './blocks.ts';
import { readFonts } from './fonts.ts';

export type { Block, Column } from './blocks.ts';

export interface PdfContent {
  title: string;
  subtitle: string;
  locale: Locale;
  blocks: readonly Block[];
  footer(page: number, total: number): string;
  at: Date;
}

type Pdf = InstanceType<typeof PDFDocument>;
type RowStyle = 'head' | 'plain';

/** Points, 1/72 inch. */
const margin = 44;
const cell = { x: 4, y: 3 } as const;
const sizes = { title: 17, heading: 12, text: 9, footer: 8 } as const;
const colours = { text: '#1f2329', quiet: '#646a73', line: '#dee0e3', head: '#f2f3f5' } as const;
/** Rows that are laid out before the event loop runs other work. */
const rowsAtOnce = 10;

/** Makes an A4 document with the glyphs that it uses; `at` is its date of creation. */
export async function renderPdf({ locale, footer, at, ...foreign }: PdfContent): Promise<Buffer> {
  const { title, subtitle, blocks } = JSON.parse(withoutBidi(JSON.stringify(foreign))) as typeof foreign;
  const fonts = await readFonts();
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: margin, left: margin, right: margin, bottom: margin + 14 },
    bufferPages: true,
    lang: locale,
    displayTitle: true,
    info: { Title: title, Producer: 'Yunxun', CreationDate: at },
  });
  const done = bytesOf(pdf);
  pdf.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  pdf.font('bold').fontSize(sizes.title).fillColor(colours.text).text(title);
  pdf.font('regular').fontSize(sizes.text).fillColor(colours.quiet).text(subtitle).moveDown(0.5);
  for (const block of blocks) {
    await breathe();
    await draw(pdf, block);
  }
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    drawFooter(pdf, withoutBidi(footer(page + 1, count)));
  }
  await breathe();
  pdf.end();
  return done;
}

function bytesOf(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}

async function draw(pdf: Pdf, block: Block): Promise<void> {
  if (block.kind === 'heading') {
    // a heading stays with what follows it
    startPage(pdf, 70);
    pdf.moveDown(0.9).font('bold').fontSize(sizes.heading).fillColor(colours.text).text(block.text, margin);
    pdf.moveDown(0.3);
  } else if (block.kind === 'text') {
    startPage(pdf, 20);
    pdf.font('regular').fontSize(sizes.text).fillColor(colours.quiet).text(block.text, margin);
    pdf.moveDown(0.3);
  } else if (block.kind === 'facts') {
    const columns = [
      { title: '', share: 1 },
      { title: '', share: 2 },
    ];
    for (const fact of block.facts) drawRow(pdf, columns, fact, 'plain');
  } else {
    const titles = block.columns.map((column) => column.title);
    drawRow(pdf, block.columns, titles, 'head');
    for (const [at, row] of block.rows.entries()) {
      if (at % rowsAtOnce === rowsAtOnce - 1) await breathe();
      if (startPage(pdf, heightOf(pdf, block.columns, row, 'plain'))) drawRow(pdf, block.columns, titles, 'head');
      drawRow(pdf, block.columns, row, 'plain');
    }
  }
}

/** Begins a page if the rest of the current one is too low, in points. */
function startPage(pdf: Pdf, height: number): boolean {
  if (pdf.y + height <= pdf.page.height - pdf.page.margins.bottom) return false;
  pdf.addPage();
  return true;
}

function widthsOf(pdf: Pdf, columns: readonly Column[]): number[] {
  const whole = pdf.page.width - 2 * margin;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  return columns.map(({ share }) => (whole * share) / shares);
}

function heightOf(pdf: Pdf, columns: readonly Column[], row: readonly string[], as: RowStyle): number {
  const widths = widthsOf(pdf, columns);
  pdf.font(as === 'head' ? 'bold' : 'regular').fontSize(sizes.text);
  const heights = row.map((text, at) => pdf.heightOfString(text || ' ', { width: widths[at]! - 2 * cell.x }));
  return Math.max(...heights) + 2 * cell.y;
}

function drawRow(pdf: Pdf, columns: readonly Column[], row: readonly string[], as: RowStyle): void {
  const height = heightOf(pdf, columns, row, as);
  startPage(pdf, height);
  const top = pdf.y;
  const widths = widthsOf(pdf, columns);
  const right = pdf.page.width - margin;
  if (as === 'head') pdf.rect(margin, top, right - margin, height).fill(colours.head);
  pdf.font(as === 'head' ? 'bold' : 'regular').fontSize(sizes.text);
  let x = margin;
  for (const [at, text] of row.entries()) {
    const width = widths[at]!;
    pdf.fillColor(colours.text).text(text, x + cell.x, top + cell.y, {
      width: width - 2 * cell.x,
      align: columns[at]!.align ?? 'left',
    });
    x += width;
  }
  const bottom = top + height;
  pdf.moveTo(margin, bottom).lineTo(right, bottom).lineWidth(0.5).strokeColor(colours.line).stroke();
  pdf.x = margin;
  pdf.y = bottom;
}

/** Writes beneath the bottom margin, where text would begin a new page. */
function drawFooter(pdf: Pdf, text: string): void {
  const { bottom } = pdf.page.margins;
  pdf.page.margins.bottom = 0;
  pdf.font('regular').fontSize(sizes.footer).fillColor(colours.quiet);
  pdf.text(text, margin, pdf.page.height - margin, {
    width: pdf.page.width - 2 * margin,
    align: 'center',
    lineBreak: false,
  });
  pdf.page.margins.bottom = bottom;
}
