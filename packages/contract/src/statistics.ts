import { type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { alarmLevels, applicationCategories, dayParts, daySlots, terminalTypes, usageTimeBuckets } from './enums.ts';
import { portalMethods } from './portal-shapes.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

/** `as_of`: counted until; `…_source`: why null or empty. See docs/metrics.en.md. Days are local. */

const reads = { access: 'user', method: 'POST', permission: 'statistics.read', effect: 'read' } as const;

const Narrow = { gwid: Type.Optional(Id) };
const named = { gwid: 'network' } as const;

/** A number, or the same as text. */
function Choice<const T extends readonly (string | number)[]>(choices: T) {
  return Type.Unsafe<T[number] | `${T[number]}`>({ enum: [...choices, ...choices.map(String)].filter(isFirst) });
}

const isFirst = <T>(value: T, index: number, all: readonly T[]) => all.indexOf(value) === index;

function Values<const T extends readonly string[]>(names: T) {
  return Type.Array(NamedValue(Words(names)));
}

function NamedValue<T extends TSchema>(name: T) {
  return Type.Object({ name, value: Type.Integer() });
}

export const sourceStates = ['none', 'partial', 'complete'] as const;
export type SourceState = (typeof sourceStates)[number];

/** `portal`: by a device, without a method. */
export const authShares = ['portal', ...portalMethods] as const;
export type AuthShare = (typeof authShares)[number];

/** `portal`: the console's own sessions. */
export const authSources = ['none', 'devices', 'portal', 'both'] as const;
export type AuthSource = (typeof authSources)[number];

const AppSource = Words(sourceStates);

export const dayGaps = ['before_first_report', 'no_report', 'not_counted'] as const;
export type DayGap = (typeof dayGaps)[number];
const Gap = Nullable(Words(dayGaps));

export const complex = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/complex',
  summary: 'The numbers of the home page: networks, access points, users, alarms, flow of seven days, income of today.',
  body: Type.Object(Narrow),
  data: Type.Object({
    as_of: Time,
    router_number: Type.Integer(),
    router_online_number: Type.Integer(),
    ap_number: Type.Integer(),
    ap_online_number: Type.Integer(),
    current_auth: Type.Integer(),
    current_online: Type.Integer(),
    today_auth_amount: Type.Integer(),
    auth_source: Words(authSources),
    today_online_amount: Type.Integer(),
    /** Without silenced and caused ones. */
    alarm_level_amount: Type.Object({
      [alarmLevels[0]]: Type.Integer(),
      [alarmLevels[1]]: Type.Integer(),
      [alarmLevels[2]]: Type.Integer(),
    }),
    alarm_messages: Type.Array(Type.Object({ level: Words(alarmLevels), message: Type.String(), time: Time })),
    cumulative_flow: Type.Object({
      /** Uplink bytes, both directions. */
      total: Type.Integer(),
      /** Most bytes first. */
      items: Values(applicationCategories),
      source: AppSource,
      /** Sum of `items`. */
      measured: Nullable(Type.Integer()),
      measured_since: Nullable(Time),
      /** First day, `YYYY-MM-DD`. */
      from: Type.String(),
    }),
    /** Yuan, two decimals; null without `billing.read`. */
    income: Nullable(Type.String({ pattern: '^-?\\d+\\.\\d\\d$' })),
    /** `none` until a guest has paid; `hidden` without `billing.read`. */
    income_source: Words(['none', 'complete', 'hidden']),
    /** Refused today by cloud security; null until a network has it. */
    intercept_number: Nullable(Type.Integer()),
    intercept_source: AppSource,
  }),
  example: () => ({}),
});

const BandFlow = Type.Object({
  name: Words(['2.4G', '5G', '6G']),
  online: Type.Integer(),
  /** Bytes today. */
  download: Nullable(Type.Integer()),
  upload: Nullable(Type.Integer()),
});

export const apComplex = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/ap_complex',
  summary: 'Terminals now and wireless flow of the access points.',
  body: Type.Object(Narrow),
  data: Type.Object({
    as_of: Time,
    ap_flow: Type.Object({
      /** Wireless, to clients. */
      download: Nullable(Type.Integer()),
      online: Type.Integer(),
      online_5g: Type.Integer(),
      /** Wireless, from clients. */
      upload: Nullable(Type.Integer()),
      /** Seven days, both directions. */
      week_flow: Nullable(Type.Integer()),
      /** Older firmware's client counters miss broadcasts and short visits. */
      flow_source: Words(['none', 'counters', 'clients', 'both']),
    }),
    bands: Type.Array(BandFlow),
    days: Type.Array(
      Type.Object({
        date: Type.String(),
        download: Nullable(Type.Integer()),
        upload: Nullable(Type.Integer()),
        gap: Gap,
      }),
    ),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const TrendRow = Type.Object({
  date: Type.String(),
  online_number: Nullable(Type.Integer()),
  new_user_number: Nullable(Type.Integer()),
  old_user_number: Nullable(Type.Integer()),
  gap: Gap,
  /** End of the day, or now. */
  as_of: Time,
});

export const clientNum = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/client_num',
  summary: 'Users of the last 7 or 30 days, day by day, oldest first; today is the last.',
  body: Type.Object({ day: Choice([7, 30]), ...Narrow }),
  data: Type.Array(TrendRow),
  example: (seed) => ({ day: 7 as const, gwid: seed.network.gwid }),
});

const Period = { day: Choice([30, 'history']), ...Narrow };

const period = {
  as_of: Time,
  /** `YYYY-MM-DD`; null without data. */
  from: Nullable(Type.String()),
};

export const flowModel = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/flow_model',
  summary: 'How flow, applications, authentication and terminals were shared in 30 days, or since the beginning.',
  body: Type.Object(Period),
  data: Type.Object({
    ...period,
    /** Uplink bytes, both directions. */
    stage: Values(dayParts),
    /** Bytes; empty without a source. */
    app_stage: Type.Array(Type.Object({ name: Words(daySlots), items: Values(applicationCategories) })),
    /** Once per day and user. */
    auth_type: Values(authShares),
    auth_source: Words(authSources),
    client_type: Values(terminalTypes),
    /** Most first. */
    app_times: Values(applicationCategories),
    app_source: AppSource,
    app_measured: Nullable(Type.Integer()),
    app_since: Nullable(Time),
    /** Other known platforms, and unknown ones. */
    client_type_other: Type.Integer(),
    client_type_unknown: Type.Integer(),
  }),
  example: (seed) => ({ day: 30 as const, gwid: seed.network.gwid }),
});

/** New: first seen in the last 30 days. */
export const userGroups = ['new', 'old'] as const;
export type UserGroup = (typeof userGroups)[number];

export const userModel = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/user_model',
  summary: 'Users of 30 days, or of all time: new or returning, times and duration of visits, types and brands.',
  body: Type.Object(Period),
  data: Type.Object({
    ...period,
    user_label: Values(userGroups),
    client_time_block: Values(dayParts),
    user_time: Values(usageTimeBuckets),
    terminal_type: Values(terminalTypes),
    terminal_brand: Type.Array(NamedValue(Type.String())),
    users: Type.Integer(),
    visits: Type.Integer(),
    terminal_type_other: Type.Integer(),
    terminal_type_unknown: Type.Integer(),
    /** Other brands, and unknown ones. */
    terminal_brand_other: Type.Integer(),
    terminal_brand_unknown: Type.Integer(),
    /** A client can count several times. */
    random_mac: Type.Integer(),
  }),
  example: () => ({ day: 'history' as const }),
});

export const activeDetails = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/open/get_active_details',
  summary: 'Whether the person has hidden the business notice of this account, and how many routers it is about.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    is_hidden: Type.Boolean(),
    /** Reported storage below 32 GB. */
    lt_32g_router_num: Type.Integer(),
    /** Routers without reported storage. */
    unknown_router_num: Type.Integer(),
  }),
  example: () => ({}),
});

export const hiddenStarDialog = endpoint({
  access: 'user',
  method: 'GET',
  permission: 'statistics.read',
  effect: 'write',
  unaudited: 'a mark of one person on a notice; only that person sees it',
  object: {},
  path: '/api/v3/open/hidden_star_dialog',
  summary: 'Hides the business notice of this account from the person for good.',
  body: Empty,
  data: Empty,
  example: () => ({}),
});
