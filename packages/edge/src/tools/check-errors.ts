import type { CheckError } from '@yunxun/contract/device';

export class CheckFailed extends Error {
  readonly word: string;
  readonly address: string | null;

  constructor(word: string, address: string | null) {
    super(word);
    this.word = word;
    this.address = address;
  }
}

const words: Readonly<Record<string, CheckError>> = {
  ENOTFOUND: 'not_found',
  ENODATA: 'not_found',
  EAI_AGAIN: 'no_dns',
  ETIMEOUT: 'no_dns',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  timeout: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPROTO: 'tls',
};

export function wordOf(error: unknown): string {
  if (error instanceof CheckFailed) return error.word;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (Object.hasOwn(words, code)) return words[code]!;
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'tls';
  if (code.startsWith('HPE_')) return 'protocol';
  return (code || message || 'protocol').slice(0, 200);
}
