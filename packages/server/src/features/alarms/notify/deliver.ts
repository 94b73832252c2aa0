import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { DeliveryError, type MessageState, type Outbox, type OwnReason } from '../../../platform/outbox/index.ts';
import { postOutgoing, postTimeoutMs } from '../../../platform/outgoing/post.ts';
import { noteDelivery } from './browser-store.ts';
import { prepare, requireAccepted, type Target } from './channels.ts';
import { payloadOf, textOf } from './compose.ts';
import { type DeliveryTable, type EndpointTable, notifyTables } from './tables.ts';
import { browserGone, createPushSender, type PushDeps } from './web-push.ts';

export interface DeliverDeps extends PushDeps {
  clock: Clock;
  log: Log;
  outbox: Pick<Outbox, 'statesOf'>;
}

/** At a time. */
const maxUnderWay = 32;
/** Milliseconds after which a crashed attempt is surely over. */
const leaseMs = 3 * postTimeoutMs;
/** Milliseconds of attempts at least. */
const retryMs = 60 * 60_000;
/** At least: others of the address may delay a message. */
const leastAttempts = 4;
const maxRetryAfterMs = 3_600_000;
/** Milliseconds; doubles. */
const [firstBackoffMs, lastBackoffMs] = [15_000, 10 * 60_000];
/** Messages of the outbox that one run looks up. */
const maxOutbox = 1000;

type Delivery = Omit<DeliveryTable, 'attempts'> & { attempts: number };

export function createDeliver(deps: DeliverDeps) {
  const { database, clock, log, keys, outbox, config } = deps;
  const push = createPushSender(deps);

  async function run(): Promise<void> {
    await takeOverOutbox();
    const underWay = new Set<Promise<void>>();
    for (;;) {
      const claimed = await claim(maxUnderWay - underWay.size);
      for (const delivery of claimed) {
        const work = deliver(delivery).finally(() => underWay.delete(work));
        underWay.add(work);
      }
      if (underWay.size === 0) return;
      // one message at a time per address
      await Promise.race(underWay);
    }
  }

  /** Claims the oldest due message of each address, so that no recovery overtakes its notice. */
  async function claim(limit: number): Promise<Delivery[]> {
    const now = clock.now();
    const { rows } = await sql<Delivery>`
      update alarm_delivery set attempts = attempts + 1, next_at = ${new Date(now.getTime() + leaseMs)}
      where (account_id, id) in (
        select d.account_id, d.id from alarm_delivery d
        where d.state = 'waiting' and d.endpoint_id is not null and d.next_at <= ${now}
          and ((d.content->>'test')::boolean or not exists (
            select from alarm_delivery e where e.account_id = d.account_id and e.endpoint_id = d.endpoint_id
              and e.state = 'waiting' and not (e.content->>'test')::boolean and (e.created_at, e.id) < (d.created_at, d.id)))
        order by d.created_at limit ${limit} for update skip locked)
      returning *
    `.execute(database.system);
    return rows;
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { account_id: accountId, id } = delivery;
    try {
      const error = await attempt(delivery);
      const now = clock.now();
      const isOver = now.getTime() - delivery.created_at.getTime() >= retryMs && delivery.attempts >= leastAttempts;
      const isLast = error?.permanent || delivery.content.test || isOver;
      const backoff = Math.min(firstBackoffMs * 2 ** (delivery.attempts - 1), lastBackoffMs);
      const wait = Math.max(backoff, Math.min(error?.retryAfterMs ?? 0, maxRetryAfterMs));
      if (error) log.warn({ id, reason: error.message, permanent: error.permanent }, 'alarm message not delivered');
      await database.withSystem(async (tx) => {
        await notifyTables(tx)
          .insertInto('alarm_attempt')
          .values({ account_id: accountId, id: newId(), delivery_id: id, at: now, error: error?.message ?? null })
          .execute();
        await notifyTables(tx)
          .updateTable('alarm_delivery')
          .set({
            state: error ? (isLast ? 'failed' : 'waiting') : 'sent',
            error: error?.message ?? null,
            sent_at: error ? null : now,
            next_at: new Date(now.getTime() + wait),
          })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .execute();
        if (delivery.channel === 'web_push')
          await noteDelivery(tx, delivery.endpoint_id!, {
            at: now,
            error: error?.message ?? null,
            isGone: error?.message === browserGone,
          });
      });
    } catch (error) {
      // database unavailable: sent again under its id after the lease
      log.error({ err: error, id }, 'alarm message');
    }
  }

  async function attempt(delivery: Delivery): Promise<DeliveryError | null> {
    try {
      await (delivery.channel === 'web_push' ? push.send(delivery) : post(delivery));
      return null;
    } catch (error) {
      return error instanceof DeliveryError ? error : new DeliveryError((error as Error).message.slice(0, 300));
    }
  }

  /** @throws DeliveryError */
  async function post({ account_id: accountId, id, endpoint_id, content, created_at }: Delivery): Promise<void> {
    const found = await targetOf(accountId, endpoint_id!);
    if (!found) throw new DeliveryError('endpoint_removed', true);
    const text = textOf(content, content.locale, config.publicUrl);
    const payload = payloadOf(content, id, created_at, config.publicUrl);
    const request = prepare(found.type, found.target, { id, text, payload }, clock.now());
    const answer = await postOutgoing({ ...request, privateAddresses: config.privateWebhooks });
    requireAccepted(found.type, answer);
  }

  async function targetOf(
    accountId: string,
    id: string,
  ): Promise<{ type: EndpointTable['type']; target: Target } | null> {
    return database.withSystem(async (tx) => {
      const row = await notifyTables(tx)
        .selectFrom('alarm_endpoint')
        .select(['type', 'sealed'])
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return null;
      const opened = (await keys.of(tx, accountId)).open(row.sealed, endpointContext(id)).toString();
      return { type: row.type, target: JSON.parse(opened) as Target };
    });
  }

  /** Follows mail and SMS, which the outbox retries and keeps for longer. */
  async function takeOverOutbox(): Promise<void> {
    const rows = await notifyTables(database.system)
      .selectFrom('alarm_delivery')
      .select(['account_id', 'id', 'outbox_id'])
      .where('state', '=', 'waiting')
      .where('outbox_id', 'is not', null)
      .orderBy('created_at')
      .limit(maxOutbox)
      .execute();
    const states = await outbox.statesOf(rows.map((row) => row.outbox_id!));
    for (const { account_id: accountId, id, outbox_id } of rows) {
      const one = states.get(outbox_id!);
      const [state, error] = one ? outcomeOf(one) : (['failed', 'expired'] as const);
      if (state === 'waiting' && error === null) continue;
      await notifyTables(database.system)
        .updateTable('alarm_delivery')
        .set({
          state,
          error,
          attempts: one?.attempts ?? 0,
          sent_at: state === 'sent' ? one!.sentAt : null,
          next_at: one?.nextAt ?? clock.now(),
        })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
    }
  }

  return { run };
}

/** A message that was only written to a file of the server is not delivered. */
function outcomeOf({ state, isInFile, error }: MessageState): [DeliveryTable['state'], string | null] {
  return isInFile ? ['failed', 'to_file' satisfies OwnReason] : [state, error];
}

/** Returns the context of the seal. */
export function endpointContext(id: string): string {
  return `alarm endpoint ${id}`;
}
