import { typedMobile } from '@yunxun/contract/typed-text';
import { typedCode } from '../../../platform/crypto/codes.ts';
import type { PortalSecrets } from '../secrets.ts';
import type { Tried } from '../visit-store.ts';

const longestWay = 32;

/** Keeps what was typed only as a keyed hash. */
export function triedOf(secrets: PortalSecrets, accountId: string, way: string, typed: string, at: Date): Tried {
  return { at, way: way.slice(0, longestWay), subject: typed === '' ? null : secrets.hash(accountId, 'tried', typed) };
}

export function triedHashes(secrets: PortalSecrets, accountId: string, text: string): Buffer[] {
  return [...new Set([typedCode(text), typedMobile(text)])]
    .filter((typed) => typed !== '')
    .map((typed) => secrets.hash(accountId, 'tried', typed));
}
