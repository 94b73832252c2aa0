import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';

export interface RealName {
  name: string;
  id_card: string;
}

const contextOf = (memberId: string) => `portal real name ${memberId}`;

export async function sealRealName(tx: Tx, keys: AccountKeys, accountId: string, memberId: string, real: RealName) {
  return (await keys.of(tx, accountId)).seal(JSON.stringify(real), contextOf(memberId));
}

/** Returns the account with its real name, as sessions keep it; null without one. */
export async function wholeName(
  tx: Tx,
  keys: AccountKeys,
  { account_id, id, name, real_sealed }: { account_id: string; id: string; name: string; real_sealed: Buffer | null },
): Promise<string | null> {
  if (!real_sealed) return null;
  const real = JSON.parse((await keys.of(tx, account_id)).open(real_sealed, contextOf(id)).toString()) as RealName;
  return `${name} (${real.name}, ${real.id_card})`;
}
