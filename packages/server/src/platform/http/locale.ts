import type { Locale } from '@yunxun/contract';
import type { FastifyRequest } from 'fastify';

/** Reads the header `localization`, else `Accept-Language`, else zh-CN. */
export function localeOf(request: FastifyRequest): Locale {
  const wanted = request.headers.localization;
  if (wanted === 'zh-CN' || wanted === 'en') return wanted;
  for (const part of (request.headers['accept-language'] ?? '').split(',')) {
    const tag = part.split(';')[0]!.trim().toLowerCase();
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return 'zh-CN';
}
