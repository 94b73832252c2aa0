import type { Row } from '../../app/api.ts';
import { keysSaying, textOf } from '../../app/i18n.ts';
import { browserLabels } from '../../ui/browser-labels.ts';

export type MessageRow = Row<'/api/v3/message/list'>;

function values({ params }: MessageRow): MessageRow['params'] {
  return typeof params.user_agent === 'string' ? { ...params, browser: browserLabels(params.user_agent) } : params;
}

export function messageTitle(message: MessageRow): string {
  return textOf(`message.${message.template}.title`, values(message)) ?? message.template;
}

export function messageBody(message: MessageRow): string {
  return textOf(`message.${message.template}.body`, values(message)) ?? '';
}

/** The server searches parameters only. */
export function templatesSaying(keyword: string): string[] {
  return [...new Set(keysSaying('message.', keyword).map((key) => key.replace(/\.(title|body)$/, '')))].slice(0, 200);
}
