import type { DecisionKind } from '@yunxun/contract';
import type { Kysely } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';

/** Of the form, as the first person sent it. */
export interface RefundInput {
  reason: string;
  used: boolean;
  key?: string;
}

export interface Decision {
  account_id: string;
  id: string;
  kind: DecisionKind;
  object: string;
  name: string;
  /** Null for changes. */
  fen: number | null;
  limit_fen: number;
  input: unknown;
  state: 'waiting' | 'done' | 'withdrawn' | 'refused';
  asked_at: Date;
  asked_by: string;
  asker: string;
  /** At the request; null for old ones. */
  deciders: string[] | null;
  decided_at: Date | null;
  decided_by: string | null;
  decider: string | null;
  stood_in: boolean;
  reason: string | null;
}

export const decisionTables = (tx: Tx): Kysely<{ money_decision: Decision }> => tables(tx);
