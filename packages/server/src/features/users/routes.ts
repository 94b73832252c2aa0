import { type Actor, users as contract, networksOf } from '@yunxun/contract';
import { macOfSerial } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import type { SessionTotals } from '../../telemetry/index.ts';
import { ssidsNow, stationFacts } from '../../telemetry/read/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { userDetail, userHistory } from './detail.ts';
import { sessionFile, userFile } from './files.ts';
import { type Kicks, namesOf } from './kick.ts';
import { listUsers } from './list.ts';
import type { createLists } from './lists.ts';
import { userRows } from './rows.ts';
import { shownTo } from './shown.ts';
import { countListed, marksOf, writeMarks } from './store.ts';

export interface UserRoutesDeps {
  database: Database;
  clock: Clock;
  downloads: Downloads;
  kicks: Kicks;
  lists: ReturnType<typeof createLists>;
  blocking: Configuration['blocking'];
  totals: SessionTotals;
}

export function userRoutes({ database, clock, downloads, kicks, lists, blocking, totals }: UserRoutesDeps): Route[] {
  downloads.offer('users', userFile(clock));
  downloads.offer('user-stays', sessionFile());

  const shown = (tx: Tx, actor: Actor) => shownTo(tx, actor.accountId, networksOf(actor), clock.now());

  async function one(tx: Tx, actor: Actor, mac: string) {
    const [row] = await userRows(tx, await shown(tx, actor), [mac]);
    if (!row) throw new Failure('notFound');
    return row;
  }

  return implement(contract, {
    list: async ({ tx, identity, input }) => listUsers(tx, await shown(tx, identity.actor), input, totals),
    async ssids({ tx, identity, input }) {
      const { accountId, gwids } = await shown(tx, identity.actor);
      return { list: await ssidsNow(tx, accountId, { gwids: input.gwid ? [input.gwid] : gwids }) };
    },
    async detail({ tx, identity, input }) {
      await totals.complete(tx, identity.actor.accountId, [input.mac]);
      const row = await userDetail(tx, await shown(tx, identity.actor), input.mac);
      if (!row) throw new Failure('notFound');
      return row;
    },
    async history({ tx, identity, input }) {
      await totals.complete(tx, identity.actor.accountId, [input.mac]);
      return userHistory(tx, await shown(tx, identity.actor), input);
    },

    async update({ tx, acting, identity, input: { mac, remark, vip } }) {
      // marks apply to all networks
      requireWholeAccount(acting, 'user.write');
      const { accountId } = acting;
      const mark = (await marksOf(tx, accountId, [mac])).get(mac);
      const before = { remark: mark?.remark ?? '', vip: mark?.vip ?? false };
      const after = { remark: remark === undefined ? before.remark : (remark ?? ''), vip: vip ?? before.vip };
      const by = acting.actor?.name ?? acting.source;
      await writeMarks(tx, accountId, [mac], after, { at: clock.now(), by });
      await record(tx, acting, {
        action: 'user.update',
        object: { type: 'station' as const, id: mac, name: after.remark || macOfSerial(mac) },
        before,
        after,
        inverse: { path: contract.update.path, input: { mac, vip: before.vip, remark: before.remark || null } },
      });
      return one(tx, identity.actor, mac);
    },

    async kick({ tx, acting, input: { macs } }) {
      const jobId = await kicks.start(tx, acting, macs);
      const [only] = macs;
      const name = await namesOf(tx, acting.accountId, macs);
      await record(tx, acting, {
        action: 'user.kick',
        object: {
          type: 'station',
          id: macs.length === 1 && only ? only : jobId,
          name: macs.map(name).slice(0, 5).join(', '),
        },
        after: { macs },
        jobId,
      });
      return { job_id: jobId };
    },

    block: ({ tx, acting, input }) => lists.block(tx, acting, input),
    blockPreview: ({ tx, acting, input }) => lists.preview(tx, acting, input),
    unblock: ({ tx, acting, input }) => lists.unblock(tx, acting, input),
    allow: ({ tx, acting, input }) => lists.allow(tx, acting, input),

    async applied({ tx, acting: { accountId } }) {
      return { blocked: await countListed(tx, accountId, 'blocked'), ...(await blocking.scope(tx, accountId)) };
    },

    async reveal({ tx, acting, identity, input: { mac } }) {
      const [fact] = await stationFacts(tx, acting.accountId, {
        ...(await shown(tx, identity.actor)),
        macs: [mac],
      });
      await noted(tx, acting, { action: 'user.reveal', mac, after: null });
      return { account: fact?.username ?? null };
    },

    async exportList({ tx, acting, caller, identity, input: { format, mac, sort, order, ...filter } }) {
      const { actor } = identity;
      const person = { accountId: actor.homeAccountId, personId: actor.userId };
      const timeZone = await database.withSystem((system) => people.timeZoneOf(system, person, actor.accountId));
      await noted(tx, acting, { action: 'user.export', mac: mac ?? null, after: { format, ...filter } });
      const wanted = { acting, caller, identity, format, timeZone };
      return mac
        ? downloads.open('user-stays', { ...wanted, filter: { mac } })
        : downloads.open('users', { ...wanted, filter: { ...filter, sort, order } });
    },
  });
}

async function stationOf(tx: Tx, accountId: string, mac: string) {
  const name = await namesOf(tx, accountId, [mac]);
  return { type: 'station' as const, id: mac, name: name(mac) };
}

/** Logs views of portal accounts and downloads. */
async function noted(
  tx: Tx,
  acting: Acting,
  { action, mac, after }: { action: string; mac: string | null; after: unknown },
): Promise<void> {
  const object = mac ? await stationOf(tx, acting.accountId, mac) : { type: 'station' as const, id: 'list', name: '' };
  await record(tx, acting, { action, object, after });
}
