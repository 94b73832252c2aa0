import type { withdrawals as contract, DataOf } from '@yunxun/contract';
import type { Tx } from '../../../platform/database/index.ts';
import { installationSettings } from '../../installation/index.ts';
import { fenOf, yuan } from '../service.ts';

export interface WithdrawalRule {
  minFen: number;
  /** Hundredths of a percent of the amount. */
  feeRate: number;
  minFeeFen: number;
  /** Above, approver and payer differ; null: never. */
  twoPersonsAboveFen: number | null;
  /** Only money that a provider has settled. */
  settledOnly: boolean;
}

type Rule = Omit<DataOf<typeof contract.rule>, 'pending'>;

const key = 'withdrawals';
const initial: WithdrawalRule = { minFen: 1, feeRate: 0, minFeeFen: 0, twoPersonsAboveFen: null, settledOnly: false };

/** Requires the system role. */
export async function readRule(tx: Tx): Promise<WithdrawalRule> {
  return { ...initial, ...(await installationSettings.readSetting<Partial<WithdrawalRule>>(tx, key)) };
}

export const lockRule = (tx: Tx) => installationSettings.lockSetting(tx, key);

export function writeRule(tx: Tx, rule: WithdrawalRule): Promise<void> {
  return installationSettings.writeSetting(tx, key, rule);
}

/** Rounds up to a whole fen. */
export function feeOf(rule: WithdrawalRule, fen: number): number {
  return Math.max(Math.ceil((fen * rule.feeRate) / 10_000), rule.minFeeFen);
}

/** Null is no limit. */
export function stricter(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

export function presentRule(rule: WithdrawalRule): Rule {
  return {
    min_amount: yuan(rule.minFen),
    fee_rate: rule.feeRate,
    min_fee: yuan(rule.minFeeFen),
    two_persons_above: rule.twoPersonsAboveFen === null ? null : yuan(rule.twoPersonsAboveFen),
    clearing: rule.settledOnly ? 'settled' : 'off',
  };
}

export function parseRule(input: Rule): WithdrawalRule {
  return {
    minFen: Math.max(1, fenOf(input.min_amount)),
    feeRate: input.fee_rate,
    minFeeFen: fenOf(input.min_fee),
    twoPersonsAboveFen: input.two_persons_above === null ? null : fenOf(input.two_persons_above),
    settledOnly: input.clearing === 'settled',
  };
}
