import { Type } from 'typebox';
import { edgeSnapshotReasons } from './device/edge-snapshot.ts';
import { endpoint } from './endpoint.ts';
import { peripheralTypes, unprobedReasons } from './peripherals.ts';
import { Id, JobStarted, Nullable, Time, Words } from './shapes.ts';

export const scanStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type ScanState = (typeof scanStates)[number];

/** Why a scan failed; `lost`: the gateway restarted. */
export const scanFailures = ['gateway_offline', 'silent', 'refused', 'lost', 'too_long'] as const;
export type ScanFailure = (typeof scanFailures)[number];

/** What suggests the type of a found host. */
export const guessSources = ['onvif', 'ipp', 'mdns', 'snmp', 'ssdp', 'port', 'vendor'] as const;

const calls = { access: 'user', method: 'POST' } as const;
const actions = { ...calls, permission: 'network.write', effect: 'device' } as const;

const Host = Type.Object({
  ip: Type.String(),
  mac: Nullable(Type.String()),
  /** By the IEEE register. */
  vendor: Nullable(Type.String()),
  /** From its DHCP lease. */
  hostname: Nullable(Type.String()),
  /** Open TCP ports. */
  ports: Type.Array(Type.Integer()),
  type: Words(peripheralTypes),
  name: Nullable(Type.String()),
  model: Nullable(Type.String()),
  /** Null: nothing suggests a type. */
  guess: Nullable(Words(guessSources)),
  /** Name of the peripheral device that has the address. */
  known: Nullable(Type.String()),
});

export const scan = endpoint({
  ...actions,
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/scan',
  limit: { max: 6, windowSeconds: 60 },
  summary:
    "Scans the gateway's own private LANs for hosts with open ports, and asks them what they are (mDNS, SSDP, ONVIF, IPP, SNMP with the community public), at most 50 packets or connections per second. 4102 while the gateway is offline, 4106 while a scan runs, 4114 when the gateway cannot scan.",
  body: Type.Object({ gwid: Id }),
  data: JobStarted,
  example: (seed) => ({ gwid: seed.peripheralSite.gwid }),
});

export const scanDetail = endpoint({
  ...calls,
  permission: 'network.write',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/scan/detail',
  summary: 'The latest scan of a network with what it has found so far, and why a new one is not possible.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    /** Null: possible. */
    unable: Nullable(Words(unprobedReasons)),
    scan: Nullable(
      Type.Object({
        state: Words(scanStates),
        reason: Nullable(Words(scanFailures)),
        started_at: Time,
        finished_at: Nullable(Time),
        /** Probes. */
        done: Type.Integer(),
        total: Type.Integer(),
        subnets: Type.Array(Type.String()),
        hosts: Type.Array(Host),
      }),
    ),
  }),
  example: (seed) => ({ gwid: seed.peripheralSite.gwid }),
});

export const scanCancel = endpoint({
  ...calls,
  permission: 'network.write',
  effect: 'write',
  object: { gwid: 'network' },
  path: '/api/v3/peripheral/scan/cancel',
  summary: 'Cancels the scan of a network; what it has found stays. 4113 when none runs.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({}),
  example: (seed) => ({ gwid: seed.scannedSite.gwid }),
});

export const wake = endpoint({
  ...actions,
  object: { id: 'peripheral' },
  path: '/api/v3/peripheral/wake',
  limit: { max: 30, windowSeconds: 60 },
  summary:
    'Sends a Wake-on-LAN packet to the MAC address of a peripheral device, on the LANs of its gateway. 4102 while the gateway is offline, 4114 when it cannot; 422 without a MAC address.',
  body: Type.Object({ id: Id }),
  data: JobStarted,
  example: (seed) => ({ id: seed.peripheralSite.id }),
});

/** `gateway`: it did not answer; `wrong`: it sent no picture. */
export const snapshotReasons = [...edgeSnapshotReasons, 'gateway', 'wrong'] as const;

export const snapshot = endpoint({
  ...actions,
  // it shows people on the site
  permission: 'remote.use',
  interactive: true,
  ownTransaction: true,
  object: { id: 'peripheral' },
  path: '/api/v3/peripheral/snapshot',
  limit: { max: 30, windowSeconds: 60 },
  summary:
    'A picture of a camera that gives it without a password, fetched by its gateway from the web port within 5 s; at most 512 KiB, kept nowhere. 4102 while the gateway is offline, 4114 when it cannot or its owner forbids it, and with the reason `off` while the account does not allow remote access; 422 for another type or without a web port.',
  body: Type.Object({ id: Id }),
  data: Type.Object({
    at: Time,
    /** JPEG in base64. */
    picture: Nullable(Type.String()),
    reason: Nullable(Words(snapshotReasons)),
  }),
  example: (seed) => ({ id: seed.peripheralSite.cameraId }),
});
