import { message } from '@yunxun/contract/messages';
import { escapeHtml } from '@yunxun/portal';
import { font, ink, mailFrame, quiet } from '../../platform/mail-frame.ts';
import type { Block } from '../../platform/pdf/index.ts';
import type { ReportDocument } from './report-document.ts';

/** Cells inherit the style, because Gmail cuts mails of more than 102 KB. Long names break, titles do not. */
const table = `width="100%" cellpadding="0" cellspacing="0" border="0" style="${font};${ink};font-size:13px;line-height:18px;word-break:break-word"`;
const cell = 'padding:6px 8px;border-bottom:1px solid #dee0e3;vertical-align:top';

/** Makes a mail without outside resources; `url` is the console. */
export function mailHtml({ locale, title, subtitle, blocks, reason }: ReportDocument, url: string): string {
  const link = { url, text: message(locale, 'report.open') };
  return mailFrame({ locale, title, subtitle, rows: blocks.map(section), link, reason });
}

function section(block: Block): string {
  if (block.kind === 'heading')
    return `<tr><td style="padding:20px 24px 6px"><h2 style="${font};${ink};margin:0;font-size:16px;line-height:24px">${escapeHtml(block.text)}</h2></td></tr>`;
  if (block.kind === 'text')
    return `<tr><td style="padding:4px 24px"><p style="${font};${quiet};margin:0;font-size:13px;line-height:20px">${escapeHtml(block.text)}</p></td></tr>`;
  return `<tr><td style="padding:0 24px">${block.kind === 'facts' ? factTable(block.facts) : dataTable(block)}</td></tr>`;
}

function factTable(facts: Extract<Block, { kind: 'facts' }>['facts']): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left" width="34%" style="${cell};${quiet};font-weight:normal">${escapeHtml(label)}</th><td style="${cell}">${escapeHtml(value)}</td></tr>`,
  );
  return `<table ${table}>${rows.join('')}</table>`;
}

function dataTable({ columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const align = (at: number) => `text-align:${columns[at]?.align ?? 'left'}`;
  const head = columns.map(
    ({ title }, at) =>
      `<th scope="col" bgcolor="#f2f3f5" style="${cell};background-color:#f2f3f5;word-break:normal;${align(at)}">${escapeHtml(title)}</th>`,
  );
  const body = rows.map(
    (row) => `<tr>${row.map((text, at) => `<td style="${cell};${align(at)}">${escapeHtml(text)}</td>`).join('')}</tr>`,
  );
  return `<table ${table}><tr>${head.join('')}</tr>${body.join('')}</table>`;
}

/** Makes the plain text of a mail, for programs that show no HTML. */
export function mailText({ title, subtitle, blocks }: ReportDocument): string {
  const texts = blocks.map((block) => {
    if (block.kind === 'heading') return `\n${block.text}`;
    if (block.kind === 'text') return block.text;
    if (block.kind === 'facts') return block.facts.map(textRow).join('\n');
    const titles = block.columns.map((column) => column.title).join(' | ');
    return [titles, ...block.rows.map(textRow)].join('\n');
  });
  return [title, subtitle, ...texts].join('\n');
}

function textRow(cells: readonly string[]): string {
  return `- ${cells.join(' | ')}`;
}
