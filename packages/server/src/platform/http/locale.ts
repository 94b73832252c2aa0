import type { IncomingMessage } from 'node:http';
import type { Locale } from '@yunxun/contract';

/** Reads the header `localization`, else `Accept-Language`, else zh-CN; `foreign` is for other languages. */
export function localeOf(request: Pick<IncomingMessage, 'headers'>, foreign: Locale = 'zh-CN'): Locale {
  const wanted = request.headers.localization;
  if (wanted === 'zh-CN' || wanted === 'en') return wanted;
  const accepted = request.headers['accept-language'] ?? '';
  for (const part of accepted.split(',')) {
    const tag = part.split(';')[0]!.trim().toLowerCase();
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return /[a-z]/i.test(accepted) ? foreign : 'zh-CN';
}
