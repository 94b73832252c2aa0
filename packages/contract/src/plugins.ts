import { Type } from 'typebox';
import { edgePluginStates, pluginArches, pluginPermissions, pluginReasons } from './device/index.ts';
import { endpoint, inInstallation } from './endpoint.ts';
import type { SettingsSchema } from './plugin-settings.ts';
import { Empty, Id, JobStarted, Keyword, ListOf, Nullable, Serial, Time, Words } from './shapes.ts';

/** Why a gateway cannot run a plugin. */
export const unfitReasons = ['agent', 'agent_version', 'arch'] as const;
export type PluginUnfit = (typeof unfitReasons)[number];

/** `pending`: a job has not reached the gateway yet. */
export const pluginStates = ['pending', ...edgePluginStates] as const;
export type PluginState = (typeof pluginStates)[number];

export const pluginEvents = ['running', 'starting', 'failed', 'removed'] as const;
export type PluginEvent = (typeof pluginEvents)[number];

/** Per call; base64 characters; days. */
export const pluginBounds = { serials: 200, upload: 2_700_000, eventDays: 90 } as const;

const PluginId = Type.String({ minLength: 1, maxLength: 48 });
const Version = Type.String({ minLength: 5, maxLength: 17 });
const Both = Type.Object({ zh: Type.String(), en: Type.String() });
const Settings = Type.Unsafe<Record<string, string | number | boolean>>(
  Type.Record(
    Type.String({ maxLength: 40 }),
    Type.Union([Type.String({ maxLength: 500 }), Type.Number(), Type.Boolean()]),
  ),
);
const Serials = Type.Array(Serial, { minItems: 1, maxItems: pluginBounds.serials, uniqueItems: true });

const card = {
  id: PluginId,
  name: Both,
  publisher: Type.String(),
  licence: Type.String(),
  description: Both,
  /** Newest version. */
  version: Version,
  /** Gateways that can run it, that have it, and that run an older version. */
  fits: Type.Integer(),
  installed: Type.Integer(),
  outdated: Type.Integer(),
};

const calls = { access: 'user', method: 'POST' } as const;
const reads = { ...calls, permission: 'network.read', effect: 'read', object: {} } as const;
const actions = { ...calls, permission: 'network.write', effect: 'device', object: { serials: 'device' } } as const;

export const list = endpoint({
  ...reads,
  path: '/api/v3/plugin/list',
  summary: 'Plugins of the installation’s catalogue, by name, with how many Yunxun gateways can run and have them.',
  body: Type.Object({
    keyword: Keyword,
    fits: Type.Optional(Type.Boolean()),
    installed: Type.Optional(Type.Boolean()),
  }),
  data: ListOf(Type.Object(card)),
  example: () => ({}),
});

export const detail = endpoint({
  ...reads,
  path: '/api/v3/plugin/detail',
  summary: 'A plugin with its versions, settings, and every gateway: whether it can run it, and what it reports.',
  body: Type.Object({ id: PluginId }),
  data: Type.Object({
    ...card,
    permissions: Type.Array(Words(pluginPermissions)),
    /** MiB */
    memory_mb: Type.Integer(),
    needs: Nullable(Both),
    settings: Type.Unsafe<SettingsSchema>(Type.Object({}, { additionalProperties: true })),
    versions: Type.Array(
      Type.Object({
        version: Version,
        arch: Words(pluginArches),
        min_agent: Type.String(),
        size: Type.Integer(),
        sha256: Type.String(),
      }),
    ),
    devices: Type.Array(
      Type.Object({
        serial: Serial,
        name: Type.String(),
        gwid: Nullable(Id),
        network: Nullable(Type.String()),
        online: Type.Boolean(),
        /** Null: it can run the plugin. */
        unfit: Nullable(Words(unfitReasons)),
        /** Null: not asked for. */
        install: Nullable(
          Type.Object({
            version: Version,
            /** Null: not installed yet. */
            reported_version: Nullable(Version),
            removing: Type.Boolean(),
            state: Words(pluginStates),
            reason: Nullable(Words(pluginReasons)),
            /** Last lines of its output. */
            log: Type.Array(Type.String()),
            settings: Settings,
            changed_at: Time,
          }),
        ),
      }),
    ),
  }),
  example: (seed) => ({ id: seed.plugin.id }),
});

export const install = endpoint({
  ...actions,
  path: '/api/v3/plugin/install',
  bodyBytes: 96 * 1024,
  summary:
    'Installs the newest version on gateways, updates it there, or gives it new settings. Starts a job; offline gateways follow when they return.',
  body: Type.Object({ id: PluginId, serials: Serials, settings: Type.Optional(Settings) }),
  data: JobStarted,
  example: (seed) => ({ id: seed.plugin.id, serials: [seed.plugin.serial] }),
});

export const remove = endpoint({
  ...actions,
  path: '/api/v3/plugin/remove',
  summary: 'Removes a plugin with its data from gateways. Starts a job.',
  body: Type.Object({ id: PluginId, serials: Serials }),
  data: JobStarted,
  example: (seed) => ({ id: seed.plugin.id, serials: [seed.plugin.installedSerial] }),
});

export const log = endpoint({
  ...reads,
  path: '/api/v3/plugin/log',
  summary: 'Changes of a plugin’s state on Yunxun gateways, the newest first; kept for 90 days.',
  body: Type.Object({
    id: PluginId,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  data: ListOf(
    Type.Object({
      id: Id,
      at: Time,
      serial: Serial,
      name: Type.String(),
      version: Version,
      event: Words(pluginEvents),
      reason: Nullable(Words(pluginReasons)),
    }),
  ),
  example: (seed) => ({ id: seed.plugin.id }),
});

const decides = { ...inInstallation, effect: 'write', confirm: true } as const;
const Key = Type.String({ minLength: 40, maxLength: 100, pattern: '^[A-Za-z0-9+/=]+$', hint: 'noSpaces' });

export const publishers = endpoint({
  ...inInstallation,
  effect: 'read',
  path: '/api/v3/install/plugin/publishers',
  summary: 'Publishers whose plugins the installation takes.',
  body: Empty,
  data: Type.Object({
    list: Type.Array(
      Type.Object({
        key: Type.String(),
        name: Type.String(),
        trusted_by: Type.String(),
        trusted_at: Time,
        plugins: Type.Array(Type.String()),
      }),
    ),
  }),
  example: () => ({}),
});

export const trust = endpoint({
  ...decides,
  path: '/api/v3/install/plugin/trust',
  summary: 'Trusts a publisher’s key (Ed25519, SPKI, base64).',
  body: Type.Object({ name: Type.String({ rule: 'nameText', minLength: 1, maxLength: 64 }), key: Key }),
  data: Empty,
  example: (seed) => ({ name: 'Publisher', key: seed.plugin.key }),
});

export const distrust = endpoint({
  ...decides,
  path: '/api/v3/install/plugin/distrust',
  summary:
    'Withdraws trust from a publisher; its plugins leave the catalogue. Gateways keep what they run. 4109 while gateways have one.',
  body: Type.Object({ key: Key }),
  data: Empty,
  example: (seed) => ({ key: seed.plugin.spareKey }),
});

export const importCatalogue = endpoint({
  ...decides,
  path: '/api/v3/install/plugin/import',
  bodyBytes: 2650 * 1024,
  limit: { max: 20, windowSeconds: 60 },
  summary:
    'Imports a catalogue (docs/plugins.en.md) from an upload (base64) or an https address. Nothing is taken unless every package is signed by the trusted publisher.',
  body: Type.Object({
    file: Type.Optional(Type.String({ minLength: 4, maxLength: pluginBounds.upload, contentEncoding: 'base64' })),
    uri: Type.Optional(Type.String({ minLength: 9, maxLength: 2000 })),
  }),
  data: Type.Object({ plugins: Type.Integer(), packages: Type.Integer() }),
  example: (seed) => ({ file: seed.plugin.catalogue }),
});
