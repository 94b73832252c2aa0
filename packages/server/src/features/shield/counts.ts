import { shield as contract } from '@yunxun/contract';
import {
  asList,
  asRecord,
  asText,
  type EdgeShieldRow,
  edgeShieldLimits,
  edgeToolMethod,
  shieldCategories,
} from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { type DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import { fleetGateways, type ProbingGateway } from '../fleet/index.ts';
import { shieldTables } from './tables.ts';

export interface CollectorDeps {
  database: Database;
  clock: Clock;
  log: Log;
  devices: Pick<DeviceCommands, 'call'>;
}

const commandMs = 20_000;
/** Gateways that are asked at once. */
const atOnce = 10;
const hour = 3600;

/** Stores a batch with its id in one transaction: counted once. */
export function createCollector({ database, clock, log, devices }: CollectorDeps) {
  async function collect(gateway: ProbingGateway): Promise<void> {
    const { accountId, gwid, serial } = gateway;
    const taken = await database.withSystem((tx) => takenOf(tx, gateway));
    const params = { tool: 'shield', taken } as const;
    const { status } = await devices.call({ accountId, serial }, edgeToolMethod, params, { timeoutMs: commandMs });
    const { error, tool } = asRecord<{ error: unknown; tool: unknown }>(status);
    const { shield } = asRecord<{ shield: unknown }>(tool);
    const { id, rows } = asRecord<{ id: unknown; rows: unknown }>(shield);
    const batch = asText(id, 64);
    const since = clock.now();
    if (error === 0 && taken === null && batch === null) await beginCounting({ accountId, gwid, serial }, since);
    if (batch === null || batch === taken) return;
    const now = Math.floor(since.getTime() / 1000);
    const read = asList(rows)
      .slice(0, 2 * edgeShieldLimits.rows)
      .flatMap((row) => readRow(row, now) ?? []);
    await database.withSystem(async (tx) => {
      await shieldTables(tx)
        .insertInto('shield_taken')
        .values({ account_id: accountId, gwid, serial, batch, since })
        .onConflict((conflict) => conflict.columns(['account_id', 'gwid', 'serial']).doUpdateSet({ batch }))
        .execute();
      for (const { at, domain, mac, category, blocked, queries } of read)
        await sql`
          insert into shield_count as c (account_id, gwid, at, domain, mac, category, blocked, queries)
          values (${accountId}, ${gwid}, to_timestamp(${at}), ${domain}, ${mac}, ${category}, ${blocked}, ${queries})
          on conflict (account_id, gwid, at, domain, mac, category, blocked)
          do update set queries = c.queries + excluded.queries
        `.execute(tx);
    });
  }

  async function beginCounting(of: { accountId: string; gwid: string; serial: string }, since: Date): Promise<void> {
    await shieldTables(database.system)
      .insertInto('shield_taken')
      .values({ account_id: of.accountId, gwid: of.gwid, serial: of.serial, batch: '', since })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  return {
    async run(): Promise<void> {
      const rows = await shieldTables(database.system)
        .selectFrom('shield_policy')
        .select('gwid')
        .where('document', 'is not', null)
        .orderBy('gwid')
        .execute();
      const found = await database.withSystem((tx) =>
        fleetGateways.probing(
          tx,
          rows.map(({ gwid }) => gwid),
        ),
      );
      const gateways = [...found.values()].filter(({ online, shields }) => online && shields);
      for (let first = 0; first < gateways.length; first += atOnce)
        await Promise.all(
          gateways.slice(first, first + atOnce).map((gateway) =>
            collect(gateway).catch((error: unknown) => {
              const isAway =
                error instanceof DeviceOffline || error instanceof DeviceTimeout || error instanceof DeviceError;
              if (!isAway) log.warn({ err: error, gwid: gateway.gwid }, 'shield counts not read');
            }),
          ),
        );
    },

    async prune(): Promise<void> {
      const before = new Date(clock.now().getTime() - contract.shieldLimits.days * 86_400_000);
      await shieldTables(database.system).deleteFrom('shield_count').where('at', '<', before).execute();
    },
  };
}

async function takenOf(tx: Tx, { accountId, gwid, serial }: ProbingGateway): Promise<string | null> {
  const row = await shieldTables(tx)
    .selectFrom('shield_taken')
    .select('batch')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('serial', '=', serial)
    .executeTakeFirst();
  return row?.batch || null;
}

/** Drops untrusted rows of another shape. `now`: Unix seconds. */
function readRow(given: unknown, now: number): EdgeShieldRow | null {
  const row = asRecord<EdgeShieldRow>(given);
  const { at, queries, blocked } = row;
  const domain = asText(row.domain, 253);
  const mac = asText(row.mac, 12);
  const category = shieldCategories.find((one) => one === row.category);
  const isTime = Number.isSafeInteger(at) && (at as number) <= now + hour && (at as number) > now - 31 * 24 * hour;
  const isCount = Number.isSafeInteger(queries) && (queries as number) > 0 && (queries as number) < 1e9;
  if (domain === null || mac === null || !category || typeof blocked !== 'boolean' || !isTime || !isCount) return null;
  if (!/^[a-z0-9_.-]*$/.test(domain) || !/^([0-9a-f]{12})?$/.test(mac)) return null;
  const start = (at as number) - ((at as number) % hour);
  return { at: start, domain, mac, category, blocked, queries: queries as number };
}
