import { type TSchema, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import {
  alarmLevels,
  applicationCategories,
  authTypes,
  dayParts,
  daySlots,
  terminalTypes,
  usageTimeBuckets,
} from './enums.ts';
import { Empty, Id, Nullable, Time, Words } from './shapes.ts';

/**
 * The calls of the home page, to the letter of spec section 7. What stands in the spec keeps its name, place and kind;
 * what explains it stands beside it: `as_of` says until when it counts, `…_source` why something is null or empty.
 * Every number is defined in docs/metrics.en.md. Bytes are bytes, days are the account's own. Where the spec "reads
 * data.data", the first data is the answer's body, as with its lists.
 */

const reads = { access: 'user', method: 'POST', permission: 'statistics.read', effect: 'read' } as const;

/** Narrows the numbers to one network. */
const Narrow = { gwid: Type.Optional(Id) };
const named = { gwid: 'network' } as const;

/** A value of the page’s selector: a number where it is one, or the same as text. */
function Choice<const T extends readonly (string | number)[]>(choices: T) {
  return Type.Unsafe<T[number] | `${T[number]}`>({ enum: [...choices, ...choices.map(String)].filter(isFirst) });
}

const isFirst = <T>(value: T, index: number, all: readonly T[]) => all.indexOf(value) === index;

/** Named values of a chart. */
function Values<const T extends readonly string[]>(names: T) {
  return Type.Array(NamedValue(Words(names)));
}

function NamedValue<T extends TSchema>(name: T) {
  return Type.Object({ name, value: Type.Integer() });
}

/** Whether a number has a source: `none` has, some networks have, all have. */
export const sourceStates = ['none', 'partial', 'complete'] as const;
export type SourceState = (typeof sourceStates)[number];

/** Why application flow is empty or not whole: how many of the networks asked about have a source of it. */
const AppSource = Words(sourceStates);

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
    today_online_amount: Type.Integer(),
    /** Null while nothing raises alarms. */
    alarm_level_amount: Type.Object({
      [alarmLevels[0]]: Nullable(Type.Integer()),
      [alarmLevels[1]]: Nullable(Type.Integer()),
      [alarmLevels[2]]: Nullable(Type.Integer()),
    }),
    alarm_messages: Type.Array(Type.Object({ level: Words(alarmLevels), message: Type.String(), time: Time })),
    alarm_source: AppSource,
    /** Seven days: today and the six before. */
    cumulative_flow: Type.Object({
      /** Bytes through the uplinks, both ways. */
      total: Type.Integer(),
      /** Of what has a source, most bytes first. */
      items: Values(applicationCategories),
      source: AppSource,
      /** The first of the days, `YYYY-MM-DD`. */
      from: Type.String(),
    }),
    /** Yuan of today, with two decimals. */
    income: Type.String({ pattern: '^-?\\d+\\.\\d\\d$' }),
    /** Null while nothing intercepts. */
    intercept_number: Nullable(Type.Integer()),
    intercept_source: AppSource,
  }),
  example: () => ({}),
});

/** Terminals and flow of a wireless band. */
const BandFlow = Type.Object({
  name: Words(['2.4G', '5G', '6G']),
  /** Terminals now. */
  online: Type.Integer(),
  /** Bytes today. */
  download: Type.Integer(),
  upload: Type.Integer(),
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
      /** Wireless bytes to terminals, today. */
      download: Type.Integer(),
      /** Terminals on 2.4 GHz now. */
      online: Type.Integer(),
      /** Terminals on 5 GHz now. */
      online_5g: Type.Integer(),
      /** Wireless bytes from terminals, today. */
      upload: Type.Integer(),
      /** Wireless bytes both ways, seven days. */
      week_flow: Type.Integer(),
    }),
    /** Band by band, 6 GHz included. */
    bands: Type.Array(BandFlow),
    /** The seven days, oldest first; null where nothing reported that day. */
    days: Type.Array(
      Type.Object({ date: Type.String(), download: Nullable(Type.Integer()), upload: Nullable(Type.Integer()) }),
    ),
  }),
  example: (world) => ({ gwid: world.network.gwid }),
});

/** A day of the trend. */
export const TrendRow = Type.Object({
  /** `YYYY-MM-DD` of the account's calendar. */
  date: Type.String(),
  /** Users of that day; null where nothing reported all day, so that nobody can know. */
  online_number: Nullable(Type.Integer()),
  new_user_number: Nullable(Type.Integer()),
  old_user_number: Nullable(Type.Integer()),
  /** Until when the day is counted: its end, or now. */
  as_of: Time,
});

export const clientNum = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/client_num',
  summary: 'Users of the last 7 or 30 days, day by day, oldest first; today is the last.',
  body: Type.Object({ day: Choice([7, 30]), ...Narrow }),
  data: Type.Array(TrendRow),
  example: (world) => ({ day: 7 as const, gwid: world.network.gwid }),
});

const Period = { day: Choice([30, 'history']), ...Narrow };

/** What both models say of the period they count. */
const period = {
  as_of: Time,
  /** The first day that is counted, `YYYY-MM-DD`; null where nothing has been counted yet. */
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
    /** Bytes through the uplinks, both ways, by part of the day. */
    stage: Values(dayParts),
    /** Bytes by slot of four hours and application category; empty without a source. */
    app_stage: Type.Array(Type.Object({ name: Words(daySlots), items: Values(applicationCategories) })),
    /** Authenticated users by method, each once a day; empty while nobody authenticated. */
    auth_type: Values(authTypes),
    /** Users by platform, of those whose platform is known. */
    client_type: Values(terminalTypes),
    /** Uses by application category, most used first; empty without a source. */
    app_times: Values(applicationCategories),
    app_source: AppSource,
    /** Users whose platform is known and none of the above, and users whose platform nobody knows. */
    client_type_other: Type.Integer(),
    client_type_unknown: Type.Integer(),
  }),
  example: (world) => ({ day: 30 as const, gwid: world.network.gwid }),
});

/** New: first seen in the last 30 days. */
export const userGroups = ['new', 'old'] as const;
export type UserGroup = (typeof userGroups)[number];

export const userModel = endpoint({
  ...reads,
  object: named,
  path: '/api/v3/user_stat/user_model',
  summary: 'Who the users of 30 days, or of all time, were: new or not, when and how long they came, with what.',
  body: Type.Object(Period),
  data: Type.Object({
    ...period,
    /** Users. */
    user_label: Values(userGroups),
    /** Visits (a user, a network, a day) by the parts of the day they touched. */
    client_time_block: Values(dayParts),
    /** Visits by how long the user was there that day. */
    user_time: Values(usageTimeBuckets),
    /** Users by terminal type, of those whose type is known. */
    terminal_type: Values(terminalTypes),
    /** The ten most frequent brands, by users. */
    terminal_brand: Type.Array(NamedValue(Type.String())),
    users: Type.Integer(),
    visits: Type.Integer(),
    terminal_type_other: Type.Integer(),
    terminal_type_unknown: Type.Integer(),
    /** Users of brands beyond the ten, and users whose brand nobody knows. */
    terminal_brand_other: Type.Integer(),
    terminal_brand_unknown: Type.Integer(),
    /** Users whose address is random: one terminal may stand for several of them. */
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
    /** Routers that say they have less than 32 GB of storage. */
    lt_32g_router_num: Type.Integer(),
    /** Routers that do not say how much they have; they are not counted. */
    unknown_router_num: Type.Integer(),
  }),
  example: () => ({}),
});

export const hiddenStarDialog = endpoint({
  access: 'user',
  method: 'GET',
  permission: 'statistics.read',
  effect: 'write',
  unaudited: 'a mark of one person on a notice; nobody else sees it',
  object: {},
  path: '/api/v3/open/hidden_star_dialog',
  summary: 'Hides the business notice of this account from the person for good.',
  body: Empty,
  data: Empty,
  example: () => ({}),
});
