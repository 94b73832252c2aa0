import { isMobile, typedMobile } from '@yunxun/contract/typed-text';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';

export async function phoneHash(tx: Tx, keys: AccountKeys, accountId: string, text: string): Promise<Buffer | null> {
  const phone = typedMobile(text);
  return isMobile(phone) ? (await keys.of(tx, accountId)).hash(phone, 'sms phone') : null;
}
