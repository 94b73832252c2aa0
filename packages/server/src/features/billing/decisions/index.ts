import { billingDecisions as contract, type DecisionKind } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx, tables } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { accounts, members } from '../../identity/index.ts';
import { type Operation, record } from '../../logs/index.ts';
import type { Messages } from '../../messages/index.ts';
import { yuan } from '../service.ts';
import { readRule } from '../withdrawals/rule.ts';
import { isOrphaned, mayConfirm, standInAt, timeFor } from './second-persons.ts';
import { type Decision, decisionTables as db, type RefundInput } from './tables.ts';

type RefundKind = 'order' | 'card';
type ChangeKind = Exclude<DecisionKind, RefundKind>;

interface Confirmed {
  object: string;
  /** Both persons. */
  by: string;
}
type RefundAct = (tx: Tx, acting: Acting, refund: Confirmed & { fen: number; input: RefundInput }) => Promise<unknown>;
/** Runs with the system role. */
type ChangeAct = (tx: Tx, acting: Acting, change: Confirmed & { input: unknown }) => Promise<unknown>;

const nameOf = ({ actor, source }: Acting) => actor?.name ?? source;
const isRefund = (kind: DecisionKind): kind is RefundKind => kind === 'order' || kind === 'card';
const openShown = 200;

const logged = {
  order: { type: 'order', action: 'order.refund' },
  card: { type: 'card', action: 'card.refund' },
  member_remove: { type: 'member', action: 'member.remove' },
  member_update: { type: 'member', action: 'member.update' },
  role_update: { type: 'role', action: 'member.role_update' },
} as const satisfies Record<DecisionKind, { type: Operation['object']['type']; action: string }>;

interface DecisionDeps {
  database: Database;
  clock: Clock;
  messages: Pick<Messages, 'post'>;
}

/** Two persons above the limit of the rule of withdrawals. */
export function createDecisions({ database, clock, messages }: DecisionDeps) {
  const refunds = new Map<RefundKind, RefundAct>();
  const changes = new Map<ChangeKind, ChangeAct>();

  async function find(tx: Tx, accountId: string, id: string): Promise<Decision | undefined> {
    return db(tx)
      .selectFrom('money_decision')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
  }

  async function lockWaiting(tx: Tx, accountId: string, id: string): Promise<Decision> {
    const row = await find(tx, accountId, id);
    if (!row) throw new Failure('notFound');
    if (row.state !== 'waiting') throw new Failure('changedMeanwhile');
    return row;
  }

  async function decide(
    tx: Tx,
    acting: Acting,
    row: Decision,
    change: Pick<Decision, 'state'> & Partial<Pick<Decision, 'reason' | 'stood_in'>>,
  ): Promise<void> {
    await db(tx)
      .updateTable('money_decision')
      .set({ ...change, decided_at: clock.now(), decided_by: acting.userId, decider: nameOf(acting) })
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
  }

  async function insert(
    tx: Tx,
    acting: Acting,
    row: Pick<Decision, 'kind' | 'object' | 'name' | 'fen' | 'limit_fen' | 'input' | 'deciders'>,
  ): Promise<void> {
    const at = clock.now();
    const inserted = await tables<{ money_decision: Decision }>(tx)
      .insertInto('money_decision')
      .values({
        account_id: acting.accountId,
        id: newId(at.getTime()),
        ...row,
        input: JSON.stringify(row.input),
        state: 'waiting',
        asked_at: at,
        asked_by: acting.userId!,
        asker: nameOf(acting),
        stood_in: false,
        decided_at: null,
        decided_by: null,
        decider: null,
        reason: null,
      })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'kind', 'object']).where(sql<boolean>`state = 'waiting'`).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (!inserted)
      throw new Failure('changedMeanwhile', { params: { kind: isRefund(row.kind) ? 'refund_waits' : 'change_waits' } });
  }

  function log(
    tx: Tx,
    acting: Acting,
    row: Pick<Decision, 'kind' | 'object' | 'name' | 'fen'>,
    act: string,
    after: object,
  ) {
    const { type, action } = logged[row.kind];
    return record(tx, acting, {
      action: `${action}_${act}`,
      object: { type, id: row.object, name: row.name },
      after: { ...(row.fen === null ? {} : { amount: yuan(row.fen) }), ...after },
      command: true,
    });
  }

  /** A change needs the system role. */
  async function apply(tx: Tx, acting: Acting, row: Decision, by: string): Promise<void> {
    const { object, fen, input } = row;
    if (isRefund(row.kind))
      await refunds.get(row.kind)!(tx, acting, { object, fen: fen!, input: input as RefundInput, by });
    else await changes.get(row.kind)!(tx, acting, { object, input, by });
  }

  return {
    on: (kind: RefundKind, act: RefundAct) => void refunds.set(kind, act),
    onChange: (kind: ChangeKind, act: ChangeAct) => void changes.set(kind, act),

    /**
     * Keeps a refund above the limit for a second person.
     * @param asked `sumFen`: with what was refunded of the object before
     * @returns false: the caller refunds now @throws Failure changedMeanwhile if one of the object waits
     */
    async hold(
      tx: Tx,
      acting: Acting,
      asked: { kind: RefundKind; object: string; name: string; fen: number; input: RefundInput } & {
        sumFen: number;
        gwid: string | null;
      },
    ): Promise<boolean> {
      const { limit, deciders } = await database.withSystem(async (system) => ({
        limit: (await readRule(system)).twoPersonsAboveFen,
        deciders: await members.decidersOf(system, acting.accountId),
      }));
      const { sumFen, gwid, ...row } = asked;
      if (limit === null || sumFen <= limit) return false;
      await insert(tx, acting, { ...row, limit_fen: limit, deciders });
      await record(tx, acting, {
        action: `${row.kind}.refund_request`,
        object: { type: row.kind, id: row.object, name: row.name },
        gwid,
        after: { amount: yuan(row.fen), reason: row.input.reason, used: row.input.used },
        command: true,
      });
      return true;
    },

    async holds(tx: Tx, accountId: string, object: string, key: string): Promise<boolean> {
      const row = await db(tx)
        .selectFrom('money_decision')
        .select('id')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'order')
        .where('object', '=', object)
        .where('state', '=', 'waiting')
        .where(sql<boolean>`input ->> 'key' = ${key}`)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Like `hold`, for a change that leaves fewer than two persons to decide. System role.
     * @param asked `gone`: lose that right
     */
    async holdChange(
      tx: Tx,
      acting: Acting,
      { gone, ...asked }: Pick<Decision, 'object' | 'name' | 'input'> & { kind: ChangeKind; gone: readonly string[] },
    ): Promise<boolean> {
      const { twoPersonsAboveFen: limit } = await readRule(tx);
      if (limit === null || gone.length === 0) return false;
      // concurrent changes count together
      await sql`select pg_advisory_xact_lock(hashtextextended(${`two persons ${acting.accountId}`}, 0))`.execute(tx);
      const deciders = await members.decidersOf(tx, acting.accountId);
      if (deciders.length < 2 || deciders.filter((id) => !gone.includes(id)).length >= 2) return false;
      await insert(tx, acting, { ...asked, fen: null, limit_fen: limit, deciders });
      await log(tx, acting, { ...asked, fen: null }, 'request', {});
      const params = { person: nameOf(acting), name: asked.name, kind: asked.kind };
      await messages.post(tx, acting.accountId, {
        template: 'twoPersonsAsked',
        params,
        link: '/account',
      });
      return true;
    },

    /** Ends waiting requests about a member or role that is gone; the log row of its end tells that. System role. */
    async endChanges(tx: Tx, acting: Acting, object: string): Promise<void> {
      await db(tx)
        .updateTable('money_decision')
        .set({ state: 'withdrawn', decided_at: clock.now(), decided_by: acting.userId, decider: nameOf(acting) })
        .where('account_id', '=', acting.accountId)
        .where('object', '=', object)
        .where('state', '=', 'waiting')
        .execute();
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
            .limit(openShown)
            .execute();
          return {
            list: rows.map((row) => ({
              ...shown(row),
              mine: row.asked_by === acting.userId,
              may_confirm: mayConfirm(row, acting.userId),
            })),
          };
        },

        async confirm({ acting, input: { id }, inTenant }) {
          requireWholeAccount(acting, 'billing.write');
          const confirmIn = async (tx: Tx) => {
            const row = await lockWaiting(tx, acting.accountId, id);
            if (!mayConfirm(row, acting.userId)) {
              const kind = row.asked_by !== acting.userId ? 'later' : isRefund(row.kind) ? 'refund' : 'change';
              throw new Failure('secondPerson', { params: { kind, limit: yuan(row.limit_fen) } });
            }
            await decide(tx, acting, row, { state: 'done' });
            await apply(tx, acting, row, `${row.asker}, ${nameOf(acting)}`);
          };
          const kind = await inTenant(async (tx) => (await find(tx, acting.accountId, id))?.kind);
          if (kind === undefined) throw new Failure('notFound');
          await (isRefund(kind) ? inTenant(confirmIn) : database.withSystem(confirmIn));
          return {};
        },

        async refuse({ tx, acting, input: { id, reason } }) {
          requireWholeAccount(acting, 'billing.write');
          const row = await lockWaiting(tx, acting.accountId, id);
          const own = row.asked_by === acting.userId;
          await decide(tx, acting, row, { state: own ? 'withdrawn' : 'refused', reason });
          await log(tx, acting, row, own ? 'withdraw' : 'refuse', { reason });
          return {};
        },

        orphanList: () =>
          database.withSystem(async (tx) => {
            const rows = await db(tx)
              .selectFrom('money_decision')
              .selectAll()
              .where('state', '=', 'waiting')
              .orderBy('asked_at')
              .limit(openShown)
              .execute();
            const orphaned: Decision[] = [];
            for (const row of rows) if (await isOrphaned(tx, row)) orphaned.push(row);
            const names = await accounts.namesOfAccounts(tx, [...new Set(orphaned.map((row) => row.account_id))]);
            return {
              list: orphaned.map((row) => ({
                ...shown(row),
                account: names.get(row.account_id) ?? '',
                from: standInAt(row).toISOString(),
              })),
            };
          }),

        async orphanConfirm({ acting, input: { id } }) {
          const accountId = await database.withSystem(async (tx) => {
            const row = await db(tx).selectFrom('money_decision').selectAll().where('id', '=', id).executeTakeFirst();
            if (!row) throw new Failure('notFound');
            if (!(await isOrphaned(tx, row))) throw new Failure('secondPerson', { params: { kind: 'members' } });
            const from = standInAt(row);
            if (from > clock.now()) {
              const time = await timeFor(tx, acting, from);
              throw new Failure('secondPerson', { params: { kind: 'stand_in', time } });
            }
            return row.account_id;
          });
          const inside: Acting = { ...acting, accountId };
          const confirmIn = async (tx: Tx) => {
            const row = await lockWaiting(tx, accountId, id);
            await decide(tx, inside, row, { state: 'done', stood_in: true });
            const by = nameOf(acting);
            await apply(tx, inside, row, `${row.asker}, ${by}`);
            await log(tx, inside, row, 'stand_in', { asker: row.asker });
            await messages.post(tx, accountId, {
              template: 'twoPersonsStoodIn',
              params: { person: by, name: row.name },
              link: isRefund(row.kind) ? '/billing/transactions' : '/account',
            });
            return row;
          };
          const kind = await database.withSystem(async (tx) => (await find(tx, accountId, id))!.kind);
          const scope = { accountId, userId: acting.userId, gwids: null };
          const row = await (isRefund(kind) ? database.withTenant(scope, confirmIn) : database.withSystem(confirmIn));
          if (accountId !== acting.accountId)
            await database.withSystem((tx) => log(tx, acting, row, 'stand_in', { asker: row.asker }));
          return {};
        },
      }),
  };
}

function shown({ id, kind, name, fen, limit_fen, input, asked_at, asker }: Decision) {
  const { reason = '' } = input as Partial<RefundInput>;
  return {
    id,
    kind,
    name,
    amount: fen === null ? null : yuan(fen),
    limit: yuan(limit_fen),
    reason,
    at: asked_at.toISOString(),
    by: asker,
  };
}

export type Decisions = ReturnType<typeof createDecisions>;
