import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { applicationCategories } from './enums.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

/** Bytes of IP packets; docs/metrics.en.md has definitions. */

const reads = { access: 'user', method: 'POST', permission: 'statistics.read', effect: 'read' } as const;

/** `live` is the last quarter of an hour. */
export const flowSpans = ['live', '30m', '1h', '24h', '7d', '30d'] as const;
export type FlowSpan = (typeof flowSpans)[number];

/** Seconds. Rows: five minutes up to an hour, then an hour. */
export const flowCuts: Readonly<Record<FlowSpan, { length: number; step: number; row: 300 | 3600 }>> = {
  live: { length: 900, step: 300, row: 300 },
  '30m': { length: 1800, step: 300, row: 300 },
  '1h': { length: 3600, step: 300, row: 300 },
  '24h': { length: 86_400, step: 3600, row: 3600 },
  '7d': { length: 604_800, step: 21_600, row: 3600 },
  '30d': { length: 2_592_000, step: 86_400, row: 3600 },
};

export const flowRankings = ['client', 'network', 'gateway'] as const;
export type FlowRanking = (typeof flowRankings)[number];

export const flowSourceKinds = ['edge', 'ipfix'] as const;

const filters = {
  gwid: Type.Optional(Id),
  span: Words(flowSpans),
  category: Type.Optional(Words(applicationCategories)),
  mac: Type.Optional(Serial),
};

const Span = { as_of: Time, from: Time, to: Time };
const Sums = { down: Type.Integer(), up: Type.Integer(), uses: Type.Integer() };
const Line = Type.Array(Nullable(Type.Integer()));

export const flowSeries = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/flow/series',
  summary: 'Bytes by application category over time, of an account, a network, a category or a client.',
  body: Type.Object(filters),
  data: Type.Object({
    ...Span,
    /** Length of a bucket, seconds; the first begins at `from`. */
    step_s: Type.Integer(),
    /** Most bytes first; both directions. */
    categories: Type.Array(Type.Object({ name: Words(applicationCategories), ...Sums, values: Line })),
    /** Null: earlier, or none. */
    counted_from: Nullable(Time),
    /** Closed rows, and a week before. Null: incomplete source. */
    compare: Nullable(Type.Object({ now: Type.Integer(), before: Type.Integer() })),
  }),
  example: (seed) => ({ gwid: seed.network.gwid, span: '24h' as const }),
});

export const flowTop = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/flow/top',
  summary: 'Clients, networks or gateways with the most bytes of a span.',
  body: Type.Object({
    ...filters,
    by: Words(flowRankings),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  }),
  data: Type.Object({
    ...Span,
    /** `key` is a MAC, a network id or a serial. */
    list: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), ...Sums })),
    /** Of all, listed or not. */
    total: Type.Integer(),
    sum: Type.Object(Sums),
  }),
  example: (seed) => ({ gwid: seed.network.gwid, span: '24h' as const, by: 'client' as const }),
});

export const flowSources = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/flow/sources',
  summary: 'Networks that report application flow, from what, and how many do not.',
  body: Type.Object({ gwid: Type.Optional(Id) }),
  data: Type.Object({
    as_of: Time,
    networks: Type.Integer(),
    /** Networks with a source. */
    total: Type.Integer(),
    /** At most 200, by the last report. */
    list: Type.Array(
      Type.Object({
        gwid: Id,
        network: Type.String(),
        kind: Words(flowSourceKinds),
        /** First report since it is this network's, and the last one. */
        since: Time,
        last_at: Time,
      }),
    ),
  }),
  example: () => ({}),
});
