import type { AlarmState, alarmSilences as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Acting, bySystem } from '../../platform/acting.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import type { ActionsDeps } from './alarm-actions.ts';
import { applyChange } from './alarm-changes.ts';
import { announceAlarms } from './announce.ts';
import { silenceEnd } from './silence-end.ts';
import { alarmTables, type SiteSilenceTable } from './tables.ts';

type Length = Pick<InputOf<typeof contract.siteSilenceCreate>, 'minutes' | 'until' | 'note'>;
type Shown = NonNullable<DataOf<typeof contract.siteSilence>['silence']>;

interface Silenced {
  list: { silence: Shown; name: string; alarms: number }[];
  until: Date;
  alarms: number;
}

/** Silences open alarms, and later ones when they open. */
export function createSiteSilences({
  database,
  bus,
  clock,
  messages,
}: ActionsDeps & { messages: Pick<Messages, 'post'> }) {
  function find(tx: Tx, accountId: string, gwids: readonly string[]): Promise<SiteSilenceTable[]> {
    return alarmTables(tx)
      .selectFrom('alarm_site_silence')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('gwid', 'in', [...gwids])
      .where('until', '>', clock.now())
      .execute();
  }

  async function nameOf(tx: Tx, accountId: string, gwid: string): Promise<string> {
    return (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? gwid;
  }

  function lockOpen(tx: Tx, accountId: string, gwids: readonly string[], states: readonly AlarmState[]) {
    return alarmTables(tx)
      .selectFrom('alarm')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('gwid', 'in', [...gwids])
      .where('state', 'in', [...states])
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  async function say(tx: Tx, { account_id: accountId, gwid, until, note }: SiteSilenceTable): Promise<void> {
    const network = await nameOf(tx, accountId, gwid);
    announceAlarms(tx, bus, accountId, [gwid]);
    await record(tx, bySystem(accountId), {
      action: 'alarm.site_silence_ended',
      object: { type: 'network', id: gwid, name: network },
      gwid,
      before: { until: until.toISOString(), note },
      command: true,
    });
    await messages.post(tx, accountId, {
      template: 'siteSilenceEnded',
      params: { network },
      link: `/alarm?gwid=${gwid}`,
      gwid,
    });
  }

  return {
    async get(tx: Tx, accountId: string, gwid: string): Promise<{ silence: Shown | null }> {
      const [row] = await find(tx, accountId, [gwid]);
      return { silence: row ? present(row) : null };
    },

    /** Replaces earlier silences of the networks. @throws Invalid as a silence of alarms */
    async save(tx: Tx, acting: Acting, gwids: readonly string[], { note = '', ...length }: Length): Promise<Silenced> {
      const { accountId } = acting;
      const now = clock.now();
      const until = silenceEnd(length, now);
      const before = new Map((await find(tx, accountId, gwids)).map((row) => [row.gwid, row.until.toISOString()]));
      const values = { until, note, person: acting.actor?.name ?? acting.source, created_at: now };
      const rows = await alarmTables(tx)
        .insertInto('alarm_site_silence')
        .values(gwids.toSorted().map((gwid) => ({ account_id: accountId, gwid, ...values })))
        .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet(values))
        .returningAll()
        .execute();
      const open = await lockOpen(tx, accountId, gwids, ['firing', 'acknowledged', 'silenced']);
      if (open.length > 0)
        await applyChange(tx, { bus, at: now }, acting, open, {
          type: 'silenced',
          note,
          until,
          set: { state: 'silenced', silenced_until: until, ...(note && { note }) },
        });
      announceAlarms(tx, bus, accountId, gwids);
      const names = await fleetNetworks.names(tx, accountId, gwids);
      const list = rows.map((row) => ({
        silence: present(row),
        name: names.get(row.gwid) ?? row.gwid,
        alarms: open.filter(({ gwid }) => gwid === row.gwid).length,
      }));
      const after = { until: until.toISOString(), note, alarms: open.length };
      const networks = list.map(({ silence: { gwid }, name }) => ({ gwid, name, until: before.get(gwid) ?? null }));
      const [first] = networks;
      const one = networks.length === 1 ? first : undefined;
      const some = networks.slice(0, 3).map(({ name }) => name);
      await record(tx, acting, {
        action: 'alarm.site_silence',
        object: one
          ? { type: 'network', id: one.gwid, name: one.name }
          : { type: 'selection', id: newId(), name: some.join(', ') },
        gwid: one?.gwid ?? null,
        before: one ? { until: one.until } : networks.map(({ name, until: ends }) => ({ name, until: ends })),
        after: one ? after : { gwids: networks.map(({ gwid }) => gwid), ...after },
        command: true,
      });
      return { list, until, alarms: open.length };
    },

    async end(tx: Tx, acting: Acting, gwid: string): Promise<void> {
      const { accountId } = acting;
      const ended = await alarmTables(tx)
        .deleteFrom('alarm_site_silence')
        .where('account_id', '=', accountId)
        .where('gwid', '=', gwid)
        .returning('until')
        .executeTakeFirst();
      // silenced for another time: stays
      const silenced = (await lockOpen(tx, accountId, [gwid], ['silenced'])).filter(
        ({ silenced_until: until }) => until?.getTime() === ended?.until.getTime(),
      );
      if (silenced.length > 0)
        await applyChange(tx, { bus, at: clock.now() }, acting, silenced, {
          type: 'unsilenced',
          set: {
            state: sql<AlarmState>`case when acknowledged_at is null then 'firing' else 'acknowledged' end`,
            silenced_until: null,
          },
        });
      announceAlarms(tx, bus, accountId, [gwid]);
      await record(tx, acting, {
        action: 'alarm.site_silence_end',
        object: { type: 'network', id: gwid, name: await nameOf(tx, accountId, gwid) },
        gwid,
        before: { until: ended?.until.toISOString() ?? null },
        after: { alarms: silenced.length },
        command: true,
      });
    },

    async endDue(): Promise<void> {
      await database.withSystem(async (tx) => {
        const over = await alarmTables(tx)
          .deleteFrom('alarm_site_silence')
          .where('until', '<=', clock.now())
          .returningAll()
          .execute();
        for (const row of over.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1))) await say(tx, row);
      });
    },
  };
}

function present({ gwid, until, note, person, created_at }: SiteSilenceTable): Shown {
  return { gwid, until: until.toISOString(), note, person, created_at: created_at.toISOString() };
}

/** Milliseconds since the epoch. */
export async function silencedSites(tx: Tx, accountId: string, now: Date): Promise<ReadonlyMap<string, number>> {
  const rows = await alarmTables(tx)
    .selectFrom('alarm_site_silence')
    .select(['gwid', 'until'])
    .where('account_id', '=', accountId)
    .where('until', '>', now)
    .execute();
  return new Map(rows.map(({ gwid, until }) => [gwid, until.getTime()]));
}
