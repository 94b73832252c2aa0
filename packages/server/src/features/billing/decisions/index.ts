import { billingDecisions as contract, type DecisionKind } from '@yunxun/contract';
import { type Kysely, sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx, tables } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { requireWholeAccount } from '../../identity/rights.ts';
import { record } from '../../logs/audit.ts';
import { yuan } from '../service.ts';
import { readRule } from '../withdrawals/rule.ts';

/** Of the form, as the first person sent it. */
export interface RefundInput {
  reason: string;
  used: boolean;
}

interface Decision {
  account_id: string;
  id: string;
  kind: DecisionKind;
  object: string;
  name: string;
  fen: number;
  limit_fen: number;
  input: RefundInput;
  state: 'waiting' | 'done' | 'withdrawn' | 'refused';
  asked_at: Date;
  asked_by: string;
  asker: string;
  decided_at: Date | null;
  decided_by: string | null;
  decider: string | null;
  reason: string | null;
}

type Refund = Pick<Decision, 'object' | 'fen' | 'input'> & {
  /** Both persons. */
  by: string;
};

type Act = (tx: Tx, acting: Acting, refund: Refund) => Promise<unknown>;

const db = (tx: Tx): Kysely<{ money_decision: Decision }> => tables(tx);
const nameOf = ({ actor, source }: Acting) => actor?.name ?? source;

/** Two persons above the limit that the installation's administrator sets with the rule of withdrawals. */
export function createDecisions({ database, clock }: { database: Database; clock: Clock }) {
  const acts = new Map<DecisionKind, Act>();

  async function lockWaiting(tx: Tx, accountId: string, id: string): Promise<Decision> {
    const row = await db(tx)
      .selectFrom('money_decision')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new Failure('notFound');
    if (row.state !== 'waiting') throw new Failure('changedMeanwhile');
    return row;
  }

  async function decide(tx: Tx, acting: Acting, row: Decision, state: Decision['state'], reason: string | null) {
    await db(tx)
      .updateTable('money_decision')
      .set({ state, reason, decided_at: clock.now(), decided_by: acting.userId, decider: nameOf(acting) })
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
  }

  return {
    /** Registers what a confirmed refund does. */
    on: (kind: DecisionKind, act: Act) => void acts.set(kind, act),

    /**
     * Keeps a refund above the limit for a second person.
     * @param asked `sumFen`: with what was refunded of the object before
     * @returns false: the caller refunds now @throws Failure changedMeanwhile if one of the object waits
     */
    async hold(
      tx: Tx,
      acting: Acting,
      asked: Pick<Decision, 'kind' | 'object' | 'name' | 'fen' | 'input'> & { sumFen: number; gwid: string | null },
    ): Promise<boolean> {
      const { twoPersonsAboveFen: limit } = await database.withSystem(readRule);
      const { sumFen, gwid, input, ...row } = asked;
      if (limit === null || sumFen <= limit) return false;
      const at = clock.now();
      const inserted = await tables<{ money_decision: Omit<Decision, 'input'> & { input: string } }>(tx)
        .insertInto('money_decision')
        .values({
          ...{ account_id: acting.accountId, id: newId(at.getTime()), ...row, limit_fen: limit },
          ...{
            input: JSON.stringify(input),
            state: 'waiting',
            asked_at: at,
            asked_by: acting.userId!,
            asker: nameOf(acting),
          },
          ...{ decided_at: null, decided_by: null, decider: null, reason: null },
        })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'kind', 'object']).where(sql<boolean>`state = 'waiting'`).doNothing(),
        )
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw new Failure('changedMeanwhile', { params: { kind: 'refund_waits' } });
      await record(tx, acting, {
        ...{ action: `${row.kind}.refund_request`, object: { type: row.kind, id: row.object, name: row.name }, gwid },
        ...{ after: { amount: yuan(row.fen), ...input }, command: true },
      });
      return true;
    },

    known: async (tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> => {
      const rows = await db(tx)
        .selectFrom('money_decision')
        .select('id')
        .where('id', 'in', [...ids])
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    routes: (): Route[] =>
      implement(contract, {
        async list({ tx, acting }) {
          requireWholeAccount(acting, 'billing.read');
          const rows = await db(tx)
            .selectFrom('money_decision')
            .selectAll()
            .where('account_id', '=', acting.accountId)
            .where('state', '=', 'waiting')
            .orderBy('asked_at')
            .limit(200)
            .execute();
          return {
            list: rows.map(({ id, kind, name, fen, limit_fen, input, asked_at, asked_by, asker }) => ({
              ...{ id, kind, name, amount: yuan(fen), limit: yuan(limit_fen), reason: input.reason },
              ...{ at: asked_at.toISOString(), by: asker, mine: asked_by === acting.userId },
            })),
          };
        },

        async confirm({ tx, acting, input: { id } }) {
          requireWholeAccount(acting, 'billing.write');
          const row = await lockWaiting(tx, acting.accountId, id);
          if (row.asked_by === acting.userId)
            throw new Failure('secondPerson', { params: { limit: yuan(row.limit_fen) } });
          await decide(tx, acting, row, 'done', null);
          await acts.get(row.kind)!(tx, acting, { ...row, by: `${row.asker}, ${nameOf(acting)}` });
          return {};
        },

        async refuse({ tx, acting, input: { id, reason } }) {
          requireWholeAccount(acting, 'billing.write');
          const row = await lockWaiting(tx, acting.accountId, id);
          const own = row.asked_by === acting.userId;
          await decide(tx, acting, row, own ? 'withdrawn' : 'refused', reason);
          await record(tx, acting, {
            action: `${row.kind}.refund_${own ? 'withdraw' : 'refuse'}`,
            object: { type: row.kind, id: row.object, name: row.name },
            ...{ after: { amount: yuan(row.fen), reason }, command: true },
          });
          return {};
        },
      }),
  };
}

export type Decisions = ReturnType<typeof createDecisions>;
