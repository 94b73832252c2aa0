import { message } from '@yunxun/contract/messages';
import { escapeHtml } from '@yunxun/portal';
import type { Block } from '../../platform/pdf/index.ts';
import type { ReportDocument } from './report-document.ts';

// mail programs drop style elements and scripts, and load nothing: tables and attributes only
const font = "font-family:'Segoe UI',Helvetica,Arial,'PingFang SC','Microsoft YaHei',sans-serif";
const ink = 'color:#1f2329';
const quiet = 'color:#646a73';
/** Cells inherit the style, because Gmail cuts mails of more than 102 KB. Long names break, titles do not. */
const table = `width="100%" cellpadding="0" cellspacing="0" border="0" style="${font};${ink};font-size:13px;line-height:18px;word-break:break-word"`;
const cell = 'padding:6px 8px;border-bottom:1px solid #dee0e3;vertical-align:top';
const whole = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** Makes a mail of 680 px without outside resources; `url` is the console. */
export function mailHtml({ locale, title, subtitle, blocks, reason }: ReportDocument, url: string): string {
  const open = `<a href="${escapeHtml(url)}" style="${font};color:#1456f0;font-size:14px">${escapeHtml(message(locale, 'report.open'))}</a>`;
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0;background-color:#f5f6f7">
<table ${whole} bgcolor="#f5f6f7" style="background-color:#f5f6f7"><tr><td align="center" style="padding:16px 8px">
<table role="presentation" width="680" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:680px;background-color:#ffffff">
<tr><td style="padding:24px 24px 8px">
<h1 style="${font};${ink};margin:0;font-size:20px;line-height:28px">${escapeHtml(title)}</h1>
<p style="${font};${quiet};margin:4px 0 0;font-size:13px;line-height:20px">${escapeHtml(subtitle)}</p>
</td></tr>
${blocks.map(section).join('\n')}
<tr><td style="padding:20px 24px 24px">${open}
<p style="${font};${quiet};margin:12px 0 0;font-size:12px;line-height:18px">${escapeHtml(reason)}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>`;
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
