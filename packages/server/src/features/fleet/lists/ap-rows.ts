import type { fleet as contract, DataOf } from '@yunxun/contract';
import { asRecord, type State } from '@yunxun/contract/device';
import type { Tx } from '../../../platform/database/index.ts';
import { readLatestStates } from '../../../telemetry/index.ts';
import { closedUntil } from '../../../telemetry/read/air.ts';
import { totalsEach } from '../../../telemetry/read/index.ts';
import { radiosOf, uplinkOf } from '../report.ts';
import type { ListFacts } from './list-facts.ts';

type ApRow = Omit<DataOf<typeof contract.apList>['list'][number], 'settings'>;
type DeviceRow = DataOf<typeof contract.apUpdate>;

const rateSeconds = 300;

const noRates = { down_bps: null, up_bps: null };

/** Returns five-minute means; devices without reports are absent. */
export async function meanRates(
  tx: Tx,
  accountId: string,
  now: Date,
  serials: readonly string[],
  [down, up]: readonly ['down', 'up'] | readonly ['wanDown', 'wanUp'],
): Promise<Map<string, { down_bps: number; up_bps: number }>> {
  if (serials.length === 0) return new Map();
  const to = await closedUntil(tx, 'device', now);
  const from = new Date(to.getTime() - rateSeconds * 1000);
  const flows = await totalsEach(tx, accountId, { scope: 'device', ids: serials, from, to, want: [down, up] });
  const rate = (bytes: number) => (bytes * 8) / rateSeconds;
  return new Map(flows.map((flow) => [flow.id, { down_bps: rate(flow[down]), up_bps: rate(flow[up]) }]));
}

/** Returns bits a second of both directions together. */
export async function sortableRates(
  tx: Tx,
  accountId: string,
  now: Date,
  serials: readonly string[],
  ways: Parameters<typeof meanRates>[4],
): Promise<ReadonlyMap<string, number>> {
  const rates = await meanRates(tx, accountId, now, serials, ways);
  return new Map([...rates].map(([serial, { down_bps, up_bps }]) => [serial, down_bps + up_bps]));
}

export async function withRadios(
  facts: Pick<ListFacts, 'newerFirmware'>,
  tx: Tx,
  accountId: string,
  now: Date,
  rows: readonly DeviceRow[],
): Promise<ApRow[]> {
  const serials = rows.map(({ serial }) => serial);
  const states = await readLatestStates(tx, accountId, serials);
  const online = rows.filter(({ status }) => status === 'online').map(({ serial }) => serial);
  const rates = await meanRates(tx, accountId, now, online, ['down', 'up']);
  const newer = await facts.newerFirmware(tx, accountId, serials);
  return rows.map((row) => {
    const state = asRecord<State>(states.get(row.serial)?.params.state);
    return {
      ...row,
      radios: radiosOf(state),
      uplink: uplinkOf(state),
      newer_version: newer.get(row.serial) ?? null,
      ...(rates.get(row.serial) ?? noRates),
    };
  });
}
