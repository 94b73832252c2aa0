import type { Acting, PersonKey } from '../../../platform/acting.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { people } from '../../identity/index.ts';
import { standInAfterMs } from '../decisions/second-persons.ts';
import { yuan } from '../service.ts';
import { stricter, type WithdrawalRule } from './rule.ts';
import type { WithdrawalTable } from './store.ts';

/** Returns those beside the caller. */
export async function otherAdministrators(tx: Tx, acting: Acting, adminEmail: string | null): Promise<PersonKey[]> {
  const all = await people.administratorsOf(tx, adminEmail);
  return all.filter(({ personId }) => personId !== acting.userId);
}

export async function administratorGone(tx: Tx, acting: Acting, adminEmail: string | null): Promise<boolean> {
  return (await otherAdministrators(tx, acting, adminEmail)).length === 0;
}

interface Payer {
  rule: WithdrawalRule;
  personId: string | null;
  alone: boolean;
}

export interface PayerRule {
  /** Fen; the approver does not pay above it. */
  limit: number;
  standInAt: Date | null;
}

/** Returns null if the person pays without a second one. */
export function payerRule(row: WithdrawalTable, { rule, personId, alone }: Payer): PayerRule | null {
  const limit = stricter(row.two_persons_fen, rule.twoPersonsAboveFen);
  if (row.state !== 'approved' || row.approved_by !== personId || limit === null || row.fen <= limit) return null;
  return { limit, standInAt: alone ? new Date(row.approved_at!.getTime() + standInAfterMs) : null };
}

export function presentPayer(row: WithdrawalTable, { now, ...payer }: Payer & { now: Date }) {
  const needed = payerRule(row, payer);
  const at = needed?.standInAt ?? null;
  const mayPay = row.state === 'approved' && (needed === null || (at !== null && at <= now));
  return {
    may_pay: mayPay,
    two_persons_above: needed && yuan(needed.limit),
    stand_in_at: at?.toISOString() ?? null,
  };
}
