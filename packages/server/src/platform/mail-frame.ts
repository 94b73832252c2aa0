import type { Locale } from '@yunxun/contract';
import { escapeHtml } from '@yunxun/portal';

// mail programs drop style elements and scripts, and load nothing: tables and attributes only
export const font = "font-family:'Segoe UI',Helvetica,Arial,'PingFang SC','Microsoft YaHei',sans-serif";
export const ink = 'color:#1f2329';
export const quiet = 'color:#646a73';
const whole = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** Makes a mail of 680 px without outside resources. `rows` are `<tr>`s; `link` leads to the console. */
export function mailFrame(mail: {
  locale: Locale;
  title: string;
  subtitle: string;
  rows: readonly string[];
  link: { url: string; text: string };
  reason: string;
}): string {
  const { locale, title, subtitle, rows, link, reason } = mail;
  const open = `<a href="${escapeHtml(link.url)}" style="${font};color:#1456f0;font-size:14px">${escapeHtml(link.text)}</a>`;
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
${rows.join('\n')}
<tr><td style="padding:20px 24px 24px">${open}
<p style="${font};${quiet};margin:12px 0 0;font-size:12px;line-height:18px">${escapeHtml(reason)}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>`;
}
