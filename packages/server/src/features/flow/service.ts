import { type ApplicationCategory, type DataOf, type FlowRanking, flow, type InputOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { type FlowBucket, type FlowQuery, flowBuckets, flowRanking } from '../../telemetry/read/flow-monitor.ts';
import { appFlowSources } from '../../telemetry/read/index.ts';
import { fleetDevices, fleetNetworks } from '../fleet/index.ts';
import { namesOf } from '../users/index.ts';

export interface Asked {
  accountId: string;
  /** Null: the whole account. */
  gwids: readonly string[] | null;
  now: Date;
}

type Input = InputOf<typeof flow.flowSeries>;
type Series = DataOf<typeof flow.flowSeries>;

const weekMs = 7 * 86_400_000;
const sourcesShown = 200;

export async function series(tx: Tx, asked: Asked, input: Input): Promise<Series> {
  const { accountId } = asked;
  const { step, length } = flow.flowCuts[input.span];
  const query = queryOf(asked, input);
  const buckets = await flowBuckets(tx, accountId, { ...query, step });
  const { networks } = await appFlowSources(tx, accountId, { gwids: asked.gwids });
  const since = Math.min(...networks.map((one) => one.since.getTime()));
  const countedFrom = networks.length > 0 && since > +query.from ? new Date(since) : null;
  const unknown = countedFrom ? Math.floor((since - +query.from) / (step * 1000)) : 0;
  return {
    ...shown(asked, query),
    step_s: step,
    categories: byCategory(buckets, length / step, unknown),
    counted_from: countedFrom?.toISOString() ?? null,
    compare: await compared(tx, asked, query),
  };
}

export async function top(
  tx: Tx,
  asked: Asked,
  input: InputOf<typeof flow.flowTop>,
): Promise<DataOf<typeof flow.flowTop>> {
  const { accountId } = asked;
  const query = queryOf(asked, input);
  const { list, total, sum } = await flowRanking(tx, accountId, { ...query, by: input.by, limit: input.limit ?? 10 });
  const nameOf = await namesBy[input.by](
    tx,
    accountId,
    list.map(({ key }) => key),
  );
  return { ...shown(asked, query), list: list.map((row) => ({ ...row, name: nameOf(row.key) })), total, sum };
}

export async function sources(tx: Tx, asked: Asked): Promise<DataOf<typeof flow.flowSources>> {
  const { accountId, gwids, now } = asked;
  const { networks } = await fleetNetworks.counts(tx, accountId, now, gwids);
  const fed = await appFlowSources(tx, accountId, { gwids });
  const list = fed.networks.toSorted((a, b) => +b.lastAt - +a.lastAt).slice(0, sourcesShown);
  const names = await fleetNetworks.names(
    tx,
    accountId,
    list.map(({ gwid }) => gwid),
  );
  return {
    as_of: now.toISOString(),
    networks: networks.total,
    total: fed.networks.length,
    list: list.map(({ gwid, kind, since, lastAt }) => ({
      gwid,
      network: names.get(gwid) ?? '',
      kind,
      since: since.toISOString(),
      last_at: lastAt.toISOString(),
    })),
  };
}

const namesBy: Record<
  FlowRanking,
  (tx: Tx, accountId: string, keys: readonly string[]) => Promise<(key: string) => string>
> = {
  client: namesOf,
  async network(tx, accountId, gwids) {
    const names = await fleetNetworks.names(tx, accountId, gwids);
    return (gwid) => names.get(gwid) ?? '';
  },
  async gateway(tx, accountId, serials) {
    const names = await fleetDevices.names(tx, accountId, serials);
    return (serial) => names.get(serial)?.name || serial;
  },
};

/** The span ends with the row that is being written. */
function queryOf({ gwids, now }: Asked, { span, category, mac }: Omit<Input, 'gwid'>): FlowQuery {
  const { length, row } = flow.flowCuts[span];
  const to = new Date((Math.floor(+now / (row * 1000)) + 1) * row * 1000);
  return { gwids, from: new Date(+to - length * 1000), to, row, category, mac };
}

function shown({ now }: Asked, { from, to }: FlowQuery) {
  return { as_of: now.toISOString(), from: from.toISOString(), to: to.toISOString() };
}

function byCategory(buckets: readonly FlowBucket[], places: number, unknown: number): Series['categories'] {
  const categories = new Map<ApplicationCategory, Series['categories'][number]>();
  for (const { place, category, down, up, uses } of buckets) {
    const values = Array.from({ length: places }, (_, index) => (index < unknown ? null : 0));
    const one = categories.get(category) ?? { name: category, down: 0, up: 0, uses: 0, values };
    one.values[place] = down + up;
    categories.set(category, { ...one, down: one.down + down, up: one.up + up, uses: one.uses + uses });
  }
  return [...categories.values()].toSorted((a, b) => b.down + b.up - (a.down + a.up));
}

/** Compares closed rows only: the running one is not whole yet. */
async function compared(tx: Tx, asked: Asked, query: FlowQuery): Promise<Series['compare']> {
  const { networks } = await appFlowSources(tx, asked.accountId, { gwids: asked.gwids });
  const to = new Date(+query.to - query.row * 1000);
  const before = { ...query, from: new Date(+query.from - weekMs), to: new Date(+to - weekMs) };
  if (networks.length === 0 || networks.some(({ since }) => since > before.from)) return null;
  return { now: await bytesOf(tx, asked, { ...query, to }), before: await bytesOf(tx, asked, before) };
}

async function bytesOf(tx: Tx, { accountId }: Asked, query: FlowQuery): Promise<number> {
  const buckets = await flowBuckets(tx, accountId, { ...query, step: (+query.to - +query.from) / 1000 });
  return buckets.reduce((sum, { down, up }) => sum + down + up, 0);
}
