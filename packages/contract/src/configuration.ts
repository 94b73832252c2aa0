import { Type } from 'typebox';
import {
  bands,
  Change,
  Country,
  configurationLimits,
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
    /** What a null in `radios` stands for, and whether the field may be set here: a template may have locked it. */
    defaults: Type.Array(EffectiveRadio),
    /** What the templates that stand for the network say beside radios. */
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
    /** SSIDs here whose password a rule sets, whatever the settings say; no name for who may see some networks only. */
    password_rules: Type.Array(Type.Object({ ssid: Type.String(), name: Nullable(Type.String()) })),
    updated_at: Nullable(Time),
    updated_by: Nullable(Type.String()),
  }),
  example: (world) => ({ gwid: world.network.gwid }),
});

export const wirelessSave = endpoint({
  ...pushes,
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/save',
  summary:
    "Saves a network's wireless settings and brings them to its devices; 4104 when `version` is no longer the one in force.",
  body: Type.Object({ gwid: Id, version: Type.Integer({ minimum: 0 }), ...intent }),
  /** Null: no device is in the network, so there is nothing to bring. */
  data: Type.Object({ job_id: Nullable(Id), version: Type.Integer() }),
  example: (world) => ({
    gwid: world.network.gwid,
    version: 0,
    ssids: [{ ...lobby, bands: [...lobby.bands] }],
    radios: [],
  }),
});

/** What saving settings would change on each device that they reach. */
export const PreviewAnswer = Type.Object({
  devices: Type.Array(
    Type.Object({
      serial: Serial,
      name: Type.String(),
      status: Words(deviceStatuses),
      /** `wrong`: it cannot be sent, see `findings`; `unknown`: the device has never said what it can do. */
      effect: Words(['changed', 'unchanged', 'wrong', 'unknown']),
      /** It runs no configuration of this console: what it runs is replaced whole. */
      first: Type.Boolean(),
      /** A switch or a gateway that changes: terminals on its ports may be interrupted. */
      wired: Type.Boolean(),
      changes: Type.Array(Change),
      /** Differences beyond those listed. */
      more: Type.Integer(),
      findings: Type.Array(Finding),
      /** Terminals that would drop, by the last report; null when there is none. */
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
});

export const wirelessPreview = endpoint({
  ...reads,
  permission: 'config.write',
  object: { gwid: 'network' },
  path: '/api/v3/network/wireless/preview',
  summary:
    'What saving would change on each device: differences, terminals that would drop, fields a device cannot hold.',
  body: Type.Object({ gwid: Id, ...intent }),
  data: PreviewAnswer,
  example: (world) => ({ gwid: world.network.gwid, ssids: [{ ...lobby, bands: [...lobby.bands] }], radios: [] }),
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
  summary: "A device's configuration: what it should run, what it runs, and where that stands.",
  body: Type.Object({ serial: Serial }),
  data: Type.Object({
    serial: Serial,
    /** Null: nothing is managed yet. */
    state: Nullable(Words(syncStates)),
    changed_at: Nullable(Time),
    /** While it is applied: tried out until then, and confirmed by then or taken back. When it failed: it was taken back. */
    trial_until: Nullable(Time),
    /** The device's own words, or a key of the catalogue (`job.<reason>`). */
    reasons: Type.Array(Type.String()),
    desired: Nullable(Document),
    /** `document` is null when the device runs one that is not ours. */
    active: Nullable(Document),
    /** The configuration number that the device last reported. */
    reported_uuid: Nullable(Type.Integer()),
    /** Whether trying again may end otherwise. */
    can_retry: Type.Boolean(),
    findings: Type.Array(Finding),
  }),
  example: (world) => ({ serial: world.device.serial }),
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
  example: (world) => ({ serial: world.device.serial, page: 1, limit: 10 }),
});

export const deviceConfigRetry = endpoint({
  ...pushes,
  object: { serial: 'device' },
  path: '/api/v3/device/config/retry',
  summary:
    'Brings the configuration to a device again; 4114 with its reasons when it has rejected exactly this one with this firmware.',
  body: Type.Object({ serial: Serial }),
  data: JobStarted,
  example: (world) => ({ serial: world.device.serial }),
});

/** Settings of one device that differ from its network's. */
const override = {
  radios: RadioList,
  /** SSIDs of the network that this device does not send out. */
  ssids_off: Type.Array(Id, { maxItems: configurationLimits.ssidsPerNetwork, uniqueItems: true }),
  /** Address and prefix of its LAN, when it routes: `192.168.1.1/24`. */
  lan_address: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 18 })),
};

export const apOverrideGet = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/ap/override/get',
  summary: "A device's own settings, the values in force with where each comes from, and what its radios can do.",
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
        /** A device cannot switch it off. */
        locked: Type.Boolean(),
      }),
    ),
    /** Per band that the device has. */
    capabilities: Type.Array(
      Type.Object({
        band: Words(bands),
        channels: Type.Array(Type.Integer()),
        widths: Type.Array(Type.Unsafe<(typeof radioWidths)[number]>({ enum: [...radioWidths] })),
        modes: Type.Array(Words(radioModes)),
      }),
    ),
  }),
  example: (world) => ({ serial: world.device.serial }),
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
    /** `country`, `radios.<band>.<field>` of the bands that it has radios for, `general.<field>`. */
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
  example: (world) => ({ serial: world.device.serial }),
});

export const apOverrideSave = endpoint({
  ...pushes,
  object: { serial: 'device' },
  path: '/api/v3/ap/override/save',
  summary: "Saves a device's own settings and brings them to it; 4104 when `version` is no longer the one in force.",
  body: Type.Object({ serial: Serial, version: Type.Integer({ minimum: 0 }), ...override }),
  data: Type.Object({ job_id: Id, version: Type.Integer() }),
  example: (world) => ({
    serial: world.device.serial,
    version: 0,
    radios: [
      { band: '5G' as const, enabled: null, channel: 36, width: 80 as const, mode: null, power: 'medium' as const },
    ],
    ssids_off: [],
  }),
});
