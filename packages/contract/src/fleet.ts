import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceKinds, deviceStatuses } from './enums.ts';
import {
  ApRow,
  chosenDevices,
  chosenNetworks,
  DeviceEvent,
  DevicePort,
  DeviceRow,
  deviceFilters,
  GatewayFacts,
  NetworkListed,
  NetworkRow,
  networkFilters,
  Remark,
  Removed,
  StatusCounts,
  Tags,
} from './fleet-shapes.ts';
import { Empty, Id, JobStarted, ListOf, ListQuery, Nullable, Serial, Time, Words } from './shapes.ts';

export { DeviceRow, NetworkRow } from './fleet-shapes.ts';

const Status = Type.Optional(Words(deviceStatuses));

const reads = { access: 'user', method: 'POST', permission: 'network.read', effect: 'read' } as const;
const writes = { access: 'user', method: 'POST', permission: 'network.write', effect: 'write' } as const;
const binds = { access: 'user', method: 'POST', permission: 'network.bind', effect: 'write' } as const;

/** Five minutes, both directions. Missing values sort last. */
const reportedSorts = ['online_user', 'cpu', 'memory', 'connections', 'running_time', 'rate'] as const;
const ownSorts = ['remark', 'status', 'model', 'version', 'last_seen', 'bind_time'] as const;
const networkSorts = [...ownSorts, ...reportedSorts, 'ap_online_num', 'device_num'] as const;
const deviceSorts = [...ownSorts, ...reportedSorts, 'sanity'] as const;

export const networkList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/network/list',
  summary: 'Networks of the account, or of them those in `gwids`; `keyword` looks in name, serial, model and address.',
  body: ListQuery(networkSorts, {
    ...networkFilters,
    gwids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 200 })),
  }),
  data: ListOf(NetworkListed),
  example: () => ({ page: 1, limit: 10 }),
});

export const networkDetail = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/network/detail',
  summary: 'One network, with connections and WANs of its gateway if reported.',
  body: Type.Object({ gwid: Id }),
  data: Type.Intersect([NetworkListed, GatewayFacts]),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const networkCreate = endpoint({
  ...binds,
  object: {},
  path: '/api/v3/network/create',
  summary: 'Makes an empty network. 4105 for the name of another one; 4106 when the account has 5,000.',
  body: Type.Object({ remark: Remark }),
  data: Type.Object({ gwid: Id }),
  example: () => ({ remark: 'Branch-2' }),
});

export const networkUpdate = endpoint({
  ...writes,
  object: { gwid: 'network' },
  path: '/api/v3/network/update',
  summary:
    'Renames a network, sets its tags, or both; a field that is left out stays. 4105 for the name of another one.',
  body: Type.Object({ gwid: Id, remark: Type.Optional(Remark), tags: Type.Optional(Tags) }),
  data: NetworkRow,
  example: (seed) => ({ gwid: seed.network.gwid, remark: 'Lobby' }),
});

export const networkDelete = endpoint({
  ...binds,
  object: { gwid: 'network' },
  path: '/api/v3/network/delete',
  summary: 'Deletes an empty network; 4109 with the serials in it otherwise.',
  body: Type.Object({ gwid: Id }),
  data: Empty,
  example: (seed) => ({ gwid: seed.spareNetwork.gwid }),
});

const Queue = Type.Optional(Type.Boolean());
/** Default: at once. */
const StartAt = Type.Optional(Time);

export const networkUnbind = endpoint({
  ...binds,
  object: { gwid: 'network' },
  path: '/api/v3/network/unbind',
  summary:
    'Unbinds a network with all its devices, and removes its backup, alarm, hosting, open-platform and value-added configuration.',
  body: Type.Object({ gwid: Id }),
  data: Removed,
  example: (seed) => ({ gwid: seed.network.gwid }),
});

export const networkReboot = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.reboot',
  effect: 'device',
  object: { gwids: 'network' },
  path: '/api/v3/network/reboot',
  bodyBytes: 40 * 1024,
  summary:
    'Restarts the gateway of each network, or all devices of a network without one; 4102 when every one is offline and `queue` is not set. With `start_at`, devices that are offline then are skipped.',
  body: Type.Object({ ...chosenNetworks, queue: Queue, start_at: StartAt }),
  data: JobStarted,
  example: (seed) => ({ gwids: [seed.network.gwid], queue: true }),
});

export const deviceUnbind = endpoint({
  ...binds,
  object: { serial: 'device' },
  path: '/api/v3/device/unbind',
  summary: 'Unbinds one device: its certificate is revoked and its connection closed.',
  body: Type.Object({ serial: Serial }),
  data: Removed,
  example: (seed) => ({ serial: seed.device.serial }),
});

export const waitingList = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/device/waiting/list',
  summary: 'Bound devices without a network, or not confirmed in theirs; `ip` is their source address.',
  body: ListQuery(['bind_time', 'last_seen', 'model'], { kind: Type.Optional(Words(deviceKinds)), status: Status }),
  data: ListOf(DeviceRow),
  example: () => ({ page: 1, limit: 10 }),
});

export const adopt = endpoint({
  ...binds,
  object: { serial: 'device', gwid: 'network' },
  path: '/api/v3/device/adopt',
  summary: 'Puts a waiting device into a network.',
  body: Type.Object({ serial: Serial, gwid: Id }),
  data: DeviceRow,
  example: (seed) => ({ serial: seed.waitingDevice.serial, gwid: seed.network.gwid }),
});

export const deviceRefresh = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.read',
  effect: 'device',
  object: { serial: 'device' },
  path: '/api/v3/device/refresh',
  ownTransaction: true,
  summary: 'Asks a device for a fresh report now; 4102 when it is offline.',
  body: Type.Object({ serial: Serial }),
  data: Empty,
  example: (seed) => ({ serial: seed.device.serial }),
});

export const apList = endpoint({
  ...reads,
  object: { gwid: 'network' },
  path: '/api/v3/ap/list',
  summary: 'Access points of a network, or with `kind` its other devices; without `gwid` those of every network.',
  body: ListQuery(deviceSorts, { ...deviceFilters }),
  data: ListOf(ApRow),
  example: (seed) => ({ gwid: seed.network.gwid, page: 1, limit: 10 }),
});

/** Hardware behind one session. */
const Box = Type.Object({
  address: Type.String(),
  mac: Nullable(Type.String()),
  model: Nullable(Type.String()),
  firmware: Nullable(Type.String()),
  /** `socket` after a plain reconnect. */
  boot: Nullable(Type.String()),
});

export const sharedCertificateDecide = endpoint({
  ...writes,
  object: { serial: 'device' },
  path: '/api/v3/device/certificate_conflict/decide',
  summary:
    'Of two boxes with one certificate, lets the one in that is held off and holds off the other (`swap`), or forgets that there are two (`forget`). 4113 when there is one.',
  body: Type.Object({ serial: Serial, decision: Words(['swap', 'forget']) }),
  data: Empty,
  example: (seed) => ({ serial: seed.sharedDevice.serial, decision: 'swap' as const }),
});

export const apDetail = endpoint({
  ...reads,
  object: { serial: 'device' },
  path: '/api/v3/ap/detail',
  summary: 'One device with its radios, ports, addresses and latest events.',
  body: Type.Object({ serial: Serial }),
  data: Type.Intersect([
    ApRow,
    GatewayFacts,
    Type.Object({
      /** `ip` is the public address. */
      lan_ip: Nullable(Type.String()),
      compatible: Nullable(Type.String()),
      platform: Nullable(Type.String()),
      restart_reason: Nullable(Type.String()),
      /** Empty without a report. */
      ports: Type.Array(DevicePort),
      /** Two hosts with one certificate. */
      certificate_conflict: Nullable(
        Type.Object({
          /** Keeps the session. */
          first: Box,
          /** Its connections are refused. */
          second: Box,
          since: Time,
          at: Time,
        }),
      ),
      events: Type.Array(DeviceEvent),
    }),
  ]),
  example: (seed) => ({ serial: seed.device.serial }),
});

export const apUpdate = endpoint({
  ...writes,
  object: { serial: 'device' },
  path: '/api/v3/ap/update',
  summary: 'Renames a device.',
  body: Type.Object({ serial: Serial, remark: Remark }),
  data: DeviceRow,
  example: (seed) => ({ serial: seed.device.serial, remark: 'Lobby-AP' }),
});

export const apReboot = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.reboot',
  effect: 'device',
  object: { serials: 'device' },
  path: '/api/v3/ap/reboot',
  bodyBytes: 20 * 1024,
  summary:
    'Restarts devices; without `queue`, those that are offline are skipped, and 4102 when every one is. With `start_at`, devices that are offline then are skipped.',
  body: Type.Object({ ...chosenDevices, queue: Queue, start_at: StartAt }),
  data: JobStarted,
  example: (seed) => ({ serials: [seed.device.serial], queue: true }),
});

const Serials = Type.Array(Serial, { minItems: 1, maxItems: 1000, uniqueItems: true });

const UpgradeRow = {
  serial: Serial,
  remark: Type.String(),
  /** Null without the edge agent. */
  from: Nullable(Type.String()),
  online: Type.Boolean(),
};

export const agentUpgradePreview = endpoint({
  ...reads,
  object: { serials: 'device' },
  path: '/api/v3/device/agent/upgrade/preview',
  summary: 'Preview of an upgrade of the edge agent: version, waves, and devices left out.',
  body: Type.Object({ serials: Serials }),
  data: Type.Object({
    /** Null: built without the agent. */
    version: Nullable(Type.String()),
    /** Wave 0 is one device, 1 a tenth, 2 the rest. */
    devices: Type.Array(Type.Object({ ...UpgradeRow, wave: Type.Integer() })),
    /** `other`: no edge agent; `current`: same or later; `unbuilt`: none available. */
    left_out: Type.Array(Type.Object({ ...UpgradeRow, why: Words(['other', 'current', 'unbuilt'] as const) })),
  }),
  example: (seed) => ({ serials: [seed.device.serial] }),
});

export const agentUpgrade = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.reboot',
  effect: 'device',
  object: { serials: 'device' },
  path: '/api/v3/device/agent/upgrade',
  summary:
    'Upgrades the edge agent of devices to the version that this console gives, in waves (one, a tenth, the rest): one that returns to its old version or stays away stops the waves after it. Devices that it is not for are left out; 4102 when every other is offline.',
  body: Type.Object({ serials: Serials }),
  data: JobStarted,
  example: (seed) => ({ serials: [seed.device.serial] }),
});

export const apBlink = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.write',
  effect: 'device',
  object: { serial: 'device' },
  path: '/api/v3/ap/blink',
  ownTransaction: true,
  summary: 'Blinks the lights of a device for some seconds; 4102 when it is offline.',
  body: Type.Object({ serial: Serial, seconds: Type.Integer({ minimum: 1, maximum: 300 }) }),
  data: Empty,
  example: (seed) => ({ serial: seed.device.serial, seconds: 10 }),
});

export const onboarding = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/device/onboarding',
  summary: 'Why a device is not here yet: where it must reach the console, and what of it has been seen or refused.',
  body: Empty,
  data: Type.Object({
    server: Type.Object({
      host: Type.String(),
      port: Type.Integer(),
      /** Devices hang up on other names. */
      certificate_names: Type.Array(Type.String()),
      /** False: devices disconnect. */
      name_matches: Type.Boolean(),
      local_only: Type.Boolean(),
      enroll_url: Type.String(),
    }),
    online: Type.Integer(),
    last_seen_at: Nullable(Time),
    enrolments: Type.Array(
      Type.Object({ serial: Serial, at: Time, ip: Nullable(Type.String()), model: Nullable(Type.String()) }),
    ),
    connections: Type.Array(
      Type.Object({
        serial: Serial,
        at: Time,
        ip: Nullable(Type.String()),
        online: Type.Boolean(),
        reported_at: Nullable(Time),
        gwid: Nullable(Id),
      }),
    ),
    refusals: Type.Array(
      Type.Object({
        at: Time,
        /** Catalogue key `refusal.<reason>`. */
        reason: Type.String(),
        serial: Nullable(Type.String()),
        ip: Nullable(Type.String()),
        detail: Nullable(Type.String()),
        /** TLS SNI and HTTP Host; null if absent. */
        sni: Nullable(Type.String()),
        host: Nullable(Type.String()),
      }),
    ),
  }),
  example: () => ({}),
});

const name = { serial: Nullable(Serial), gwid: Nullable(Id), remark: Type.String() };

export const attention = endpoint({
  ...reads,
  object: {},
  path: '/api/v3/overview/attention',
  summary: 'Counts of online networks and access points, and problems: at most 20 rows of each kind, with the totals.',
  body: Empty,
  data: Type.Object({
    as_of: Time,
    networks: StatusCounts,
    aps: StatusCounts,
    /** Longest first. An offline gateway is one entry. */
    offline: ListOf(
      Type.Object({
        type: Words(['network', 'device']),
        ...name,
        since: Nullable(Time),
        unheard_s: Type.Integer(),
        online_user: Nullable(Type.Integer()),
      }),
    ),
    drifted: Type.Integer(),
    unknown: Type.Integer(),
    config_failed: ListOf(Type.Object({ ...name, since: Nullable(Time), reason: Nullable(Type.String()) })),
    /** From the last seven days. */
    jobs_failed: ListOf(
      Type.Object({
        job_id: Id,
        type: Type.String(),
        total: Type.Integer(),
        failed: Type.Integer(),
        finished_at: Nullable(Time),
      }),
    ),
    waiting: ListOf(DeviceRow),
  }),
  example: () => ({}),
});
