import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TakenMail } from '../../../../test/fake-smtp.ts';

export interface MailParts {
  to: string;
  subject: string;
  text: string;
  html: string;
  pdf: Buffer;
  pdfName: string;
}

interface Part {
  headers: Record<string, string>;
  bytes: Buffer;
}

/** Splits a mail with text, HTML and one attachment (RFC 2046). */
export function partsOf({ to, headers, text }: TakenMail): MailParts {
  const parts = leavesOf(headers, text);
  const ofType = (type: string) => {
    const found = parts.find((part) => part.headers['content-type']?.startsWith(type));
    if (!found) throw new Error(`no part of type ${type}`);
    return found;
  };
  const pdf = ofType('application/pdf');
  return {
    to,
    subject: headers.subject ?? '',
    pdf: pdf.bytes,
    text: ofType('text/plain').bytes.toString(),
    html: ofType('text/html').bytes.toString(),
    pdfName: /filename="?([^";]+)/.exec(pdf.headers['content-disposition'] ?? '')?.[1] ?? '',
  };
}

/** Returns the HTML of a mail; empty without such a part. */
export function htmlOf({ headers, text }: TakenMail): string {
  const part = leavesOf(headers, text).find((each) => each.headers['content-type']?.startsWith('text/html'));
  return part?.bytes.toString() ?? '';
}

/** Returns the plain text of a mail; empty without such a part. */
export function textOf({ headers, text }: TakenMail): string {
  const part = leavesOf(headers, text).find((each) => each.headers['content-type']?.startsWith('text/plain'));
  return part?.bytes.toString() ?? '';
}

function leavesOf(headers: Record<string, string>, body: string): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return [{ headers, bytes: decoded(headers['content-transfer-encoding'] ?? '', body) }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => {
      const [head = '', ...rest] = part.replace(/^\n/, '').split('\n\n');
      return leavesOf(headersOf(head), rest.join('\n\n'));
    });
}

function headersOf(text: string): Record<string, string> {
  const lines = text.replace(/\n[ \t]+/g, ' ').split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
}

function decoded(encoding: string, body: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body);
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

/** Returns the text of all pages as a reader copies it. */
export async function pdfText(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
  const pages: string[] = [];
  for (let page = 1; page <= document.numPages; page += 1) {
    const { items } = await (await document.getPage(page)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await document.destroy();
  return pages.join('\n');
}

/** A blank between its elements. */
export function htmlText(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}
