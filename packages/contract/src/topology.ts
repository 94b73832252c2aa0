import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { Id, Nullable, Time, Words } from './shapes.ts';

/** What stands in a topology: what is managed here, what only LLDP knows, and terminals. */
export const topologyKinds = ['gateway', 'switch', 'ap', 'equipment', 'station'] as const;
export type TopologyKind = (typeof topologyKinds)[number];

/** Who said that one hangs on another: LLDP of the lower end, or of the upper, an association, or a MAC table. */
export const topologySources = ['lldp_up', 'lldp_down', 'wireless', 'mac'] as const;
export type TopologySource = (typeof topologySources)[number];

/** Why something hangs on nothing: nobody reported its uplink, or several did and contradict each other. */
export const apartReasons = ['unreported', 'ambiguous'] as const;
export type ApartReason = (typeof apartReasons)[number];

/** Terminals (`stations`) that one answer holds; of more there is only the number. */
export const topologyLimits = { stations: 1500 } as const;

const TopologyNode = Type.Object({
  id: Type.String(),
  kind: Words(topologyKinds),
  /** Its remark, host name or LLDP name; null where nobody gave one. */
  name: Nullable(Type.String()),
  /** Twelve hexadecimal digits; of a device its serial. */
  mac: Nullable(Type.String()),
  /** Of what is managed here; what else there is has none. */
  status: Nullable(Words(deviceStatuses)),
  /** Model, or what it says of itself. */
  about: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  parent: Nullable(Type.String()),
  link: Nullable(
    Type.Object({
      source: Words(topologySources),
      /** Ports of the upper and of the lower end, as each calls its own. */
      port: Nullable(Type.String()),
      child_port: Nullable(Type.String()),
      /** Mbit/s of the cable, as one of its ends reports it. */
      speed: Nullable(Type.Integer()),
    }),
  ),
  apart: Nullable(Words(apartReasons)),
  /** Of a device: when it last told of its connections. Older than its last report, it stands for what was. */
  reported_at: Nullable(Time),
  /** Of a terminal on the air: dBm, GHz and the wireless network. */
  rssi: Nullable(Type.Integer()),
  band: Nullable(Type.Integer()),
  ssid: Nullable(Type.String()),
});

export const get = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'network.read',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/topology/get',
  summary:
    'Who hangs on whom in a network: gateway, switches, access points, what only LLDP knows, and terminals that are there. Only what devices report is a link; `apart` says why something has none.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    as_of: Time,
    remark: Type.String(),
    /** By id; whoever has no `parent` is a root or stands apart. */
    nodes: Type.Array(TopologyNode),
    /** Terminals that are there, and how many of them are not among the nodes. */
    stations: Type.Integer(),
    left_out: Type.Integer(),
  }),
  example: (world) => ({ gwid: world.network.gwid }),
});
