import { typedMobile } from '@yunxun/contract/typed-text';
import { type RawBuilder, sql } from 'kysely';
import { typedCode } from '../../platform/crypto/codes.ts';
import { macContaining } from '../../platform/search/index.ts';
import type { PortalSecrets } from './secrets.ts';
import { isMobile } from './sms.ts';

/** Hashes what the text may be as a whole: a voucher code, a phone number. */
export function hashesOf(secrets: PortalSecrets, accountId: string, text: string): Buffer[] {
  const phone = typedMobile(text);
  return [
    secrets.hash(accountId, 'voucher', typedCode(text)),
    ...(isMobile(phone) ? [secrets.hash(accountId, 'phone', phone)] : []),
  ];
}

/**
 * Matches rows of `portal_session`: a part of MAC (any notation), address or identity, or exactly a phone number or
 * voucher code, of which only keyed hashes are comparable.
 */
export function sessionsMatching(secrets: PortalSecrets, accountId: string, keyword: string): RawBuilder<boolean> {
  const text = keyword.trim().toLowerCase();
  if (text === '') return sql<boolean>`true`;
  const part = macContaining(text);
  const hashes = hashesOf(secrets, accountId, keyword);
  const mac = part ? sql`replace(mac, ':', '') like ${part}` : sql`false`;
  return sql<boolean>`(strpos(lower(concat_ws(' ', mac, ip, identity)), ${text}) > 0 or ${mac}
    or identity_hash = any (${hashes}::bytea[]))`;
}
