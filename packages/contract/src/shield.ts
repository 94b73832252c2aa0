import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { shieldCategories } from './enums.ts';
import { Empty, Id, ListOf, ListQuery, Nullable, Time, Words } from './shapes.ts';

export const shieldModes = ['off', 'monitor', 'block'] as const;
export type ShieldMode = (typeof shieldModes)[number];

/** `waiting`: not confirmed by the gateway. */
export const shieldStates = ['off', 'enforced', 'monitor', 'waiting', 'not_possible'] as const;
export type ShieldState = (typeof shieldStates)[number];

/** Why settings cannot act, or why they wait. */
export const shieldReasons = [
  'no_gateway',
  'not_agent',
  'ability',
  'no_resolver',
  'gateway_offline',
  'not_applied',
  'list_missing',
  'no_list',
  'not_asked',
  'not_refusing',
] as const;
export type ShieldReason = (typeof shieldReasons)[number];

/** Parts of the score of a network. */
export const shieldChecks = ['enforced', 'malware', 'phishing', 'mining', 'redirect', 'fresh'] as const;
export type ShieldCheck = (typeof shieldChecks)[number];

/** Why a list could not be read. */
export const shieldListErrors = [
  'no_answer',
  'connection_refused',
  'unreachable',
  'connection_lost',
  'unknown_host',
  'private_target',
  'bad_certificate',
  'http_status',
  'too_large',
  'no_domains',
  'other',
] as const;
export type ShieldListError = (typeof shieldListErrors)[number];

/** Rows of an account; lists. */
export const shieldLimits = {
  name: 64,
  link: 2048,
  allow: 500,
  own: 2000,
  lists: 15,
  batch: 100,
  days: 31,
} as const;

const calls = { access: 'user', method: 'POST' } as const;
const reads = { ...calls, permission: 'config.read', effect: 'read' } as const;
const pushes = { ...calls, permission: 'config.write', effect: 'device' } as const;
const administers = { ...calls, permission: 'install.admin', effect: 'write' } as const;

const Categories = Type.Array(Words(shieldCategories), { uniqueItems: true, maxItems: shieldCategories.length });
const Name = Type.String({ rule: 'nameText', minLength: 1, maxLength: shieldLimits.name });
const Link = Type.String({ minLength: 1, maxLength: shieldLimits.link });
/** Null: no gateway has to change. */
const Pushed = Type.Object({ job_id: Nullable(Id) });

export const settingList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/cloud_security/setting/list',
  summary: 'Protection settings of networks, what their gateways do about them, and a score with its parts.',
  body: ListQuery(['name', 'domains', 'score'], {}),
  data: ListOf(
    Type.Object({
      gwid: Id,
      name: Type.String(),
      mode: Words(shieldModes),
      categories: Categories,
      /** Foreign DNS is redirected; DNS over TLS dropped. */
      redirect: Type.Boolean(),
      state: Words(shieldStates),
      reason: Nullable(Words(shieldReasons)),
      /** Domains that the gateway has loaded. */
      domains: Nullable(Type.Integer()),
      /** Sum of checks; 0 unless enforced or monitored. */
      score: Type.Integer(),
      checks: Type.Array(Type.Object({ check: Words(shieldChecks), points: Type.Integer(), most: Type.Integer() })),
    }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const settingSave = endpoint({
  ...pushes,
  object: { gwids: 'network' },
  path: '/api/v3/cloud_security/setting/save',
  summary:
    'Changes the given fields of the protection of networks. 4103 if a gateway runs an agent without it; 4106 if the lists have too many domains.',
  body: Type.Object({
    gwids: Type.Array(Id, { minItems: 1, maxItems: shieldLimits.batch, uniqueItems: true }),
    mode: Type.Optional(Words(shieldModes)),
    categories: Type.Optional(Categories),
    redirect: Type.Optional(Type.Boolean()),
  }),
  data: Pushed,
  example: (seed) => ({
    gwids: [seed.spareNetwork.gwid],
    mode: 'block' as const,
    categories: ['malware' as const, 'own' as const],
    redirect: false,
  }),
});

export const allowList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/cloud_security/allowlist/list',
  summary: 'URL whitelist. The domain of each link is allowed with its subdomains; DNS does not see paths.',
  body: ListQuery(['name', 'domain', 'created_at'], {}),
  data: ListOf(
    Type.Object({ id: Id, name: Type.String(), link: Type.String(), domain: Type.String(), created_at: Time }),
  ),
  example: () => ({ page: 1, limit: 10 }),
});

export const allowCreate = endpoint({
  ...pushes,
  object: {},
  path: '/api/v3/cloud_security/allowlist/create',
  summary: 'Allows the domain of a link in all networks. 4105 for an existing name or domain; 4106 beyond 500.',
  body: Type.Object({ name: Name, link: Link }),
  data: Type.Object({ id: Id, domain: Type.String(), job_id: Nullable(Id) }),
  example: () => ({ name: 'Tax-Office', link: 'https://tax.example/login' }),
});

export const allowUpdate = endpoint({
  ...pushes,
  object: { id: 'shield_allow' },
  path: '/api/v3/cloud_security/allowlist/update',
  summary: 'Changes the given fields of a row.',
  body: Type.Object({ id: Id, name: Type.Optional(Name), link: Type.Optional(Link) }),
  data: Type.Object({ domain: Type.String(), job_id: Nullable(Id) }),
  example: (seed) => ({ id: seed.shield.allowId, name: 'Bank', link: 'https://bank.example/' }),
});

export const allowDelete = endpoint({
  ...pushes,
  object: { ids: 'shield_allow' },
  path: '/api/v3/cloud_security/allowlist/delete',
  summary: 'Deletes rows of the URL whitelist.',
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: shieldLimits.batch, uniqueItems: true }) }),
  data: Pushed,
  example: (seed) => ({ ids: [seed.shield.allowId] }),
});

export const ownDetail = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/cloud_security/own/detail',
  summary: "The account's own list of domains to block.",
  body: Empty,
  data: Type.Object({ domains: Type.Array(Type.String()), saved_at: Nullable(Time) }),
  example: () => ({}),
});

export const ownSave = endpoint({
  ...pushes,
  object: {},
  path: '/api/v3/cloud_security/own/save',
  bodyBytes: 512 * 1024,
  summary: 'Replaces the own list. A domain blocks its subdomains too.',
  body: Type.Object({ domains: Type.Array(Type.String({ maxLength: 253 }), { maxItems: shieldLimits.own }) }),
  data: Pushed,
  example: () => ({ domains: ['games.example'] }),
});

const List = Type.Object({
  id: Id,
  name: Type.String(),
  category: Words(shieldCategories),
  url: Type.String(),
  domains: Type.Integer(),
  sha256: Nullable(Type.String()),
  /** Of the contents in use. */
  fetched_at: Nullable(Time),
  checked_at: Nullable(Time),
  /** Last good contents stay in use. */
  error: Nullable(Words(shieldListErrors)),
});

export const listList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/cloud_security/list/list',
  summary: 'Lists of domains that the administrator of the installation imports.',
  body: Empty,
  data: Type.Object({ list: Type.Array(List), total: Type.Integer() }),
  example: () => ({}),
});

export const listCreate = endpoint({
  ...administers,
  object: {},
  path: '/api/v3/cloud_security/list/create',
  summary:
    'Imports a list by https address, and again every day: a hosts file or a domain per line, 8 MiB at most. Private addresses are refused.',
  body: Type.Object({
    name: Name,
    category: Words(shieldCategories.filter((category) => category !== 'own')),
    url: Type.String({ rule: 'url', maxLength: shieldLimits.link }),
  }),
  data: Type.Object({ id: Id }),
  example: () => ({ name: 'Phishing', category: 'phishing' as const, url: 'https://lists.example/phishing.txt' }),
});

export const listRefresh = endpoint({
  ...administers,
  object: { id: 'shield_list' },
  path: '/api/v3/cloud_security/list/refresh',
  summary: 'Fetches a list again soon.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.shield.listId }),
});

export const listDelete = endpoint({
  ...administers,
  object: { id: 'shield_list' },
  path: '/api/v3/cloud_security/list/delete',
  summary: 'Deletes a list; gateways stop using it.',
  body: Type.Object({ id: Id }),
  data: Empty,
  example: (seed) => ({ id: seed.shield.listId }),
});

const Sum = { queries: Type.Integer() };
const Counted = Nullable(Type.Integer());

export const briefing = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/cloud_security/briefing',
  summary:
    'Blocked DNS queries today, in 7 and 30 days, and the most frequent domains, clients, networks and categories of the period. Only queries to gateways with protection are counted.',
  body: Type.Object({ gwid: Type.Optional(Id), days: Type.Optional(Words(['1', '7', '30'])) }),
  data: Type.Object({
    as_of: Time,
    /** Queries refused. */
    blocked: Type.Object({ today: Counted, week: Counted, month: Counted }),
    /** Would have been refused. */
    monitored: Counted,
    by_day: Type.Array(Type.Object({ day: Type.String(), blocked: Counted, monitored: Counted })),
    counted_from: Nullable(Time),
    /** Empty: beyond the gateway's limits. */
    top_domains: Type.Array(Type.Object({ domain: Type.String(), category: Words(shieldCategories), ...Sum })),
    top_terminals: Type.Array(Type.Object({ mac: Type.String(), gwid: Id, network: Type.String(), ...Sum })),
    networks: Type.Array(Type.Object({ gwid: Id, name: Type.String(), ...Sum })),
    categories: Type.Array(Type.Object({ category: Words(shieldCategories), ...Sum })),
    unprotected: Type.Array(
      Type.Object({
        gwid: Id,
        name: Type.String(),
        state: Words(shieldStates),
        reason: Nullable(Words(shieldReasons)),
      }),
    ),
    /** The first 50 are in `unprotected`. */
    unprotected_total: Type.Integer(),
    protected_total: Type.Integer(),
    lists: Type.Array(List),
  }),
  example: () => ({ days: '7' as const }),
});
