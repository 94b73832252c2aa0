import type { fleet as contract, DataOf, InputOf } from '@yunxun/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { hasDevice } from './network-facts.ts';

type Settings = NonNullable<DataOf<typeof contract.apList>['list'][number]['settings']>;
type DeviceQuery = Pick<InputOf<typeof contract.apList>, 'firmware' | 'template_id'>;
type NetworkQuery = Pick<InputOf<typeof contract.networkList>, 'firmware' | 'backup'>;

/** Brought by the features that know it. */
export interface ListFacts {
  settingsInForce(
    tx: Tx,
    accountId: string,
    devices: readonly { serial: string; gwid: string | null; groupId: string | null }[],
  ): Promise<ReadonlyMap<string, Settings>>;
  /** Returns a condition on alias `d` (serial, gwid, group_id). */
  runsTemplate(tx: Tx, accountId: string, id: string): Promise<RawBuilder<boolean>>;
  /** Returns versions by serial, for devices that run another one. */
  newerFirmware(tx: Tx, accountId: string, serials: readonly string[]): Promise<ReadonlyMap<string, string>>;
  outdatedFirmware(
    tx: Tx,
    accountId: string,
  ): Promise<{ model: string; compatible: string | null; firmware: string }[]>;
  lastBackups(
    tx: Tx,
    accountId: string,
    query: { gwids?: readonly string[]; since?: Date | null },
  ): Promise<ReadonlyMap<string, Date>>;
}

const backupDays = { none: null, week: 7, month: 30 } as const;

/** Returns conditions on alias `n`. */
export async function networkTerms(
  facts: ListFacts,
  tx: Tx,
  accountId: string,
  now: Date,
  query: NetworkQuery,
): Promise<RawBuilder<unknown>[]> {
  const terms: RawBuilder<unknown>[] = [];
  if (query.backup) {
    const days = backupDays[query.backup];
    const since = days === null ? null : new Date(now.getTime() - days * 86_400_000);
    const kept = await facts.lastBackups(tx, accountId, { since });
    terms.push(sql`n.gwid <> all(${[...kept.keys()]}::uuid[])`);
  }
  if (query.firmware) terms.push(hasDevice(accountId, await isOutdated(facts, tx, accountId)));
  return terms;
}

/** Returns conditions on alias `d`. */
export async function deviceTerms(
  facts: ListFacts,
  tx: Tx,
  accountId: string,
  query: DeviceQuery,
): Promise<RawBuilder<unknown>[]> {
  const terms: RawBuilder<unknown>[] = [];
  if (query.firmware) terms.push(await isOutdated(facts, tx, accountId));
  if (query.template_id) terms.push(await facts.runsTemplate(tx, accountId, query.template_id));
  return terms;
}

async function isOutdated(facts: ListFacts, tx: Tx, accountId: string): Promise<RawBuilder<unknown>> {
  const keys = (await facts.outdatedFirmware(tx, accountId)).map(({ model, compatible, firmware }) =>
    [model, compatible ?? '', firmware].join('\n'),
  );
  return sql`d.model || E'\\n' || coalesce(d.compatible, '') || E'\\n' || d.firmware = any(${keys}::text[])`;
}
