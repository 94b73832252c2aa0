import { readSubnet } from '@yunxun/contract/ipv4';
import { linesOver } from '@yunxun/contract/subnet-collisions';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import type { GatewayReport } from './compile/index.ts';
import { lansOf, subnetsOf } from './gateway-reports.ts';
import { configurationTables } from './tables.ts';
import { readDocument } from './version-store.ts';

interface Collision {
  line: string;
  lan: string;
  subnet: string;
}

interface DeviceEvent extends DeviceRef {
  at: Date;
  type: 'console.subnets-collide' | 'console.subnets-apart';
  payload: { line: string; lan: string; subnet?: string };
}

export interface SubnetWatchDeps {
  database: Database;
  keys: AccountKeys;
  latestState(tx: Tx, device: DeviceRef): Promise<{ params: Record<string, unknown> } | null>;
  noteEvent(tx: Tx, event: DeviceEvent): Promise<void>;
}

/** Detects a WAN that a provider moved into the subnet of a running LAN. Begin and end are device events. */
export function createSubnetWatch({ database, keys, latestState, noteEvent }: SubnetWatchDeps) {
  /** By device and uuid; saves queries. */
  const lans = boundedCache<GatewayReport['lans']>(50_000);
  const seen = boundedCache<string>(50_000);

  return async (ref: DeviceRef, uuid: number, at: Date): Promise<void> => {
    const name = `${ref.accountId}.${ref.serial}`;
    const own = lans.get(`${name} ${uuid}`);
    if (own?.length === 0 && seen.get(name) === '[]') return;
    await database.withSystem(async (tx) => {
      const document = own ? null : await readDocument(tx, keys, ref, uuid);
      // a document of another console
      if (!own && !document) return;
      const running = own ?? lansOf(document);
      lans.set(`${name} ${uuid}`, running);
      const found = running.length === 0 ? [] : collisionsOf(running, (await latestState(tx, ref))?.params.state);
      const reported = JSON.stringify(found);
      if (seen.get(name) !== reported) await note(tx, ref, found, at);
      seen.set(name, reported);
    });
  };

  async function note(tx: Tx, { accountId, serial }: DeviceRef, found: readonly Collision[], at: Date): Promise<void> {
    const table = configurationTables(tx);
    const known = await table
      .selectFrom('subnet_collision')
      .select(['line', 'lan'])
      .where('account_id', '=', accountId)
      .where('serial', '=', serial)
      .forUpdate()
      .execute();
    const isOf = (one: { line: string; lan: string }) => (other: { line: string; lan: string }) =>
      one.line === other.line && one.lan === other.lan;
    for (const { line, lan, subnet } of found.filter((one) => !known.some(isOf(one)))) {
      const added = await table
        .insertInto('subnet_collision')
        .values({ account_id: accountId, serial, line, lan, since: at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows !== 1n) continue;
      await noteEvent(tx, { accountId, serial, at, type: 'console.subnets-collide', payload: { line, subnet, lan } });
    }
    for (const { line, lan } of known.filter((one) => !found.some(isOf(one)))) {
      await table
        .deleteFrom('subnet_collision')
        .where('account_id', '=', accountId)
        .where('serial', '=', serial)
        .where('line', '=', line)
        .where('lan', '=', lan)
        .execute();
      await noteEvent(tx, { accountId, serial, at, type: 'console.subnets-apart', payload: { line, lan } });
    }
  }
}

function collisionsOf(running: GatewayReport['lans'], state: unknown): Collision[] {
  const reported = subnetsOf(state);
  return running.flatMap(({ name: lan, subnet }) => {
    const own = readSubnet(subnet);
    return own ? linesOver(own, reported).map((line) => ({ ...line, lan })) : [];
  });
}
