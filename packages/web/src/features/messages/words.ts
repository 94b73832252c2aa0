import type { Row } from '../../app/api.ts';
import { keysSaying, textOf } from '../../app/i18n.ts';

export type MessageRow = Row<'/api/v3/message/list'>;

/** The one line of a message; its template's name when the console has no words for it. */
export function messageTitle({ template, params }: MessageRow): string {
  return textOf(`message.${template}.title`, params) ?? template;
}

/** What a message says; empty when the console has no words for it. */
export function messageBody({ template, params }: MessageRow): string {
  return textOf(`message.${template}.body`, params) ?? '';
}

/** The templates in whose words a keyword is: the server searches only the values that are put into them. */
export function templatesSaying(keyword: string): string[] {
  return [...new Set(keysSaying('message.', keyword).map((key) => key.replace(/\.(title|body)$/, '')))].slice(0, 200);
}
