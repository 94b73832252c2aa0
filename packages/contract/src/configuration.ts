import { Type } from 'typebox';
import {
  bands,
  Change,
  Country,
  configurationLimits,
  Drops,
  EffectiveRadio,
  Finding,
  RadioList,
  radioModes,
  radioWidths,
  SsidInput,
  SsidRow,
  securities,
  VersionRow,
} from './configuration-shapes.ts';
import { endpoint } from './endpoint.ts';
import { deviceStatuses, syncStates } from './enums.ts';
import { EffectiveValue, Source } from './layer-shapes.ts';
import { Id, JobStarted, ListOf, Nullable, Serial, Time, Words } from './shapes.ts';

export * from './configuration-shapes.ts';

const reads = { access: 'user', method: 'POST', permission: 'config.read', effect: 'read' } as const;
const pushes = { access: 'user', method: 'POST', permission: 'config.write', effect: 'device' } as const;

const Ssids = Type.Array(SsidInput, { maxItems: configurationLimits.ssidsPerNetwork });
const intent = { ssids: Ssids, radios: RadioList, country: Type.Optional(Country) };

const lobby = {
  enabled: true,
  name: 'Lobby',
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
} as const;

export const wirelessGet = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/get',
  summary: "A network's wireless settings; keys are not given out. `version` 0: nothing was ever saved.",
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    gwid: Id,
    version: Type.Integer(),
    ssids: Type.Array(SsidRow),
    radios: RadioList,
    country: Country,
    /** With template locks. */
    defaults: Type.Array(EffectiveRadio),
    templates: Type.Object({
      country: Nullable(Type.Object({ value: Type.String(), source: Source })),
      ssids: Type.Array(
        Type.Object({
          name: Type.String(),
          security: Words(securities),
          bands: Type.Array(Words(bands)),
          vlan: Nullable(Type.Integer()),
          source: Source,
        }),
      ),
    }),
    /** Name is null without access to all networks. */
    password_rules: Type.Array(Type.Object({ ssid: Type.String(), name: Nullable(Type.String()) })),
    updated_at: Nullable(Time),
    updated_by: Nullable(Type.String()),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

/**
 * `offline`: all devices are offline, and get the settings later. `unconfirmed`: devices that get them once a person
 * confirms them (`device/confirm`).
 */
export const SavedAnswer = Type.Object({
  job_id: Nullable(Id),
  version: Type.Integer(),
  offline: Type.Boolean(),
  unconfirmed: Type.Array(Serial),
});

export const wirelessSave = endpoint({
  ...pushes,
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/save',
  bodyBytes: 384 * 1024,
  summary:
    "Saves a network's wireless settings and brings them to its devices; 4104 when `version` is no longer the one in force.",
  body: Type.Object({ gwid: Id, version: Type.Integer({ minimum: 0 }), ...intent }),
  data: SavedAnswer,
  example: (seed) => ({
    gwid: seed.network.gwid,
    version: 0,
    ssids: [{ ...lobby, bands: [...lobby.bands] }],
    radios: [],
  }),
});

export const PreviewAnswer = Type.Object({
  devices: Type.Array(
    Type.Object({
      serial: Serial,
      name: Type.String(),
      status: Words(deviceStatuses),
      /**
       * `wrong`: see `findings`; `unknown`: no capabilities reported; `waiting`: for the report
       * whether it routes; `unconfirmed`: for a person to confirm the device.
       */
      effect: Words(['changed', 'unchanged', 'wrong', 'unknown', 'waiting', 'unconfirmed']),
      /** First push: replaces a foreign configuration. */
      first: Type.Boolean(),
      /** Wired clients may be interrupted. */
      wired: Type.Boolean(),
      changes: Type.Array(Change),
      more: Type.Integer(),
      findings: Type.Array(Finding),
      /** Disconnecting clients; null without a report. */
      terminals: Nullable(Type.Integer()),
    }),
  ),
  totals: Type.Object({
    devices: Type.Integer(),
    changed: Type.Integer(),
    wrong: Type.Integer(),
    offline: Type.Integer(),
    terminals: Type.Integer(),
  }),
  drops: Drops,
});

export const wirelessPreview = endpoint({
  ...reads,
  permission: 'config.write',
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/preview',
  bodyBytes: 384 * 1024,
  summary:
    'What saving would change on each device: differences, terminals that would drop, fields a device cannot hold.',
  body: Type.Object({ gwid: Id, ...intent }),
  data: PreviewAnswer,
  example: (seed) => ({ gwid: seed.network.gwid, ssids: [{ ...lobby, bands: [...lobby.bands] }], radios: [] }),
});

export const wirelessRevert = endpoint({
  ...pushes,
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/revert',
  summary:
    "Puts an earlier version of a network's wireless settings in force again, with its keys, and brings it to the devices. 4104 when `version` is no longer the one in force, 4116 when `to` is no longer kept (the last 50 are).",
  body: Type.Object({ gwid: Id, version: Type.Integer({ minimum: 0 }), to: Type.Integer({ minimum: 0 }) }),
  data: SavedAnswer,
  example: (seed) => ({ gwid: seed.network.gwid, version: 0, to: 0 }),
});

export const wirelessRevertPreview = endpoint({
  ...reads,
  permission: 'config.write',
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/revert_preview',
  summary: 'What putting an earlier version of the wireless settings in force would change on each device.',
  body: Type.Object({ gwid: Id, to: Type.Integer({ minimum: 0 }) }),
  data: PreviewAnswer,
  example: (seed) => ({ gwid: seed.network.gwid, to: 0 }),
});

const Document = Type.Object({
  uuid: Type.Integer(),
  created_at: Nullable(Time),
  cause: Nullable(Type.String()),
  author: Nullable(Type.String()),
  /** Secrets are masked. */
  document: Type.Unknown(),
});

export const deviceConfigGet = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/device/config/get',
  summary: "A device's configuration: intended, running, and sync state.",
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    serial: Serial,
    /** Null: not managed yet. */
    state: Nullable(Words(syncStates)),
    /** Null before the first report, and for older devices. */
    first_contact: Nullable(
      Type.Object({
        /** `left`: unchanged, see `reason`. */
        outcome: Words(['open', 'sent', 'left']),
        /** Catalogue key `config.contact.reason.<reason>`. */
        reason: Nullable(Type.String()),
        /** Original, with prefix. */
        lan: Nullable(Type.String()),
        at: Time,
      }),
    ),
    /** Waits for the report whether it routes. */
    awaits_report: Type.Boolean(),
    changed_at: Nullable(Time),
    /** Commit-confirm deadline; null unless applying. */
    trial_until: Nullable(Time),
    /** Null: no automatic revert. */
    returned_at: Nullable(Time),
    /** Device wording or a catalogue key (`job.<reason>`). */
    reasons: Type.Array(Type.String()),
    desired: Nullable(Document),
    /** `document` is null for a foreign configuration. */
    active: Nullable(Document),
    reported_uuid: Nullable(Type.Integer()),
    can_retry: Type.Boolean(),
    findings: Type.Array(Finding),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const deviceConfigVersions = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/device/config/versions',
  summary: "Versions of a device's configuration, newest first.",
  body: Type.Object({
    serial: Serial,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  data: ListOf(VersionRow),
  example: (seed) => ({ serial: seed.device.serial, page: 1, limit: 10 }),
});

export const deviceConfigRetry = endpoint({
  ...pushes,
  object: { serial: 'device' },
  path: '/api/v3/device/config/retry',
  summary:
    'Brings the configuration to a device again; 4114 with its reasons when it has rejected exactly this one with this firmware.',
  body: Type.Object({ serial: Serial }),
  data: JobStarted,
  example: (seed) => ({ serial: seed.device.serial }),
});

const override = {
  radios: RadioList,
  ssids_off: Type.Array(Id, { maxItems: configurationLimits.ssidsPerNetwork, uniqueItems: true }),
  /** LAN address if routing: `192.168.1.1/24`. */
  lan_address: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 18 })),
};

export const apOverrideGet = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/ap/override/get',
  summary: "A device's own settings, the values in force with their sources, and the capabilities of its radios.",
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    serial: Serial,
    version: Type.Integer(),
    radios: RadioList,
    ssids_off: Type.Array(Id),
    lan_address: Nullable(Type.String()),
    effective: Type.Array(EffectiveRadio),
    ssids: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        bands: Type.Array(Words(bands)),
        on: Type.Boolean(),
        locked: Type.Boolean(),
      }),
    ),
    capabilities: Type.Array(
      Type.Object({
        band: Words(bands),
        channels: Type.Array(Type.Integer()),
        widths: Type.Array(Type.Unsafe<(typeof radioWidths)[number]>({ enum: [...radioWidths] })),
        modes: Type.Array(Words(radioModes)),
      }),
    ),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const apEffectiveGet = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/ap/effective/get',
  summary:
    "Every wireless value in force on a device, with the layer that it comes from: default, AC template, wireless template, network, group, or the device's own.",
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    serial: Serial,
    /** `country`, `radios.<band>.<field>`, `general.<field>`. */
    fields: Type.Array(EffectiveValue),
    ssids: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        security: Words(securities),
        bands: Type.Array(Words(bands)),
        vlan: Nullable(Type.Integer()),
        on: Type.Boolean(),
        source: Source,
      }),
    ),
  }),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const apOverrideSave = endpoint({
  ...pushes,
  object: { serial: 'device' },
  path: '/api/v3/ap/override/save',
  summary: "Saves a device's own settings and brings them to it; 4104 when `version` is no longer the one in force.",
  body: Type.Object({ serial: Serial, version: Type.Integer({ minimum: 0 }), ...override }),
  data: Type.Object({ job_id: Id, version: Type.Integer() }),
  example: (seed) => ({
    serial: seed.device.serial,
    version: 0,
    radios: [
      { band: '5G' as const, enabled: null, channel: 36, width: 80 as const, mode: null, power: 'medium' as const },
    ],
    ssids_off: [],
  }),
});
