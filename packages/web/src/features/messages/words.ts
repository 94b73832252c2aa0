import type { Row } from '../../app/api.ts';
import { keysSaying, textOf } from '../../app/i18n.ts';
import { browserWords } from '../logs/browser-words.ts';

export type MessageRow = Row<'/api/v3/message/list'>;

/** The values as people read them. */
function values({ params }: MessageRow): MessageRow['params'] {
  return typeof params.user_agent === 'string' ? { ...params, browser: browserWords(params.user_agent) } : params;
}

/** The one line of a message; its template's name when the console has no words for it. */
export function messageTitle(message: MessageRow): string {
  return textOf(`message.${message.template}.title`, values(message)) ?? message.template;
}

/** What a message says; empty when the console has no words for it. */
export function messageBody(message: MessageRow): string {
  return textOf(`message.${message.template}.body`, values(message)) ?? '';
}

/** The templates in whose words a keyword is: the server searches only the values that are put into them. */
export function templatesSaying(keyword: string): string[] {
  return [...new Set(keysSaying('message.', keyword).map((key) => key.replace(/\.(title|body)$/, '')))].slice(0, 200);
}
