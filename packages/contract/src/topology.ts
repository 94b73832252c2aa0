import { Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { DevicePort } from './fleet-shapes.ts';
import { Id, Nullable, Time, Words } from './shapes.ts';

/** `equipment` is known by LLDP only. */
export const topologyKinds = ['gateway', 'switch', 'ap', 'equipment', 'station'] as const;
export type TopologyKind = (typeof topologyKinds)[number];

/** Evidence: LLDP of the lower or upper end, association, or MAC table. */
export const topologySources = ['lldp_up', 'lldp_down', 'wireless', 'mac'] as const;
export type TopologySource = (typeof topologySources)[number];

/** No report, or contradicting ones. */
export const apartReasons = ['unreported', 'ambiguous'] as const;
export type ApartReason = (typeof apartReasons)[number];

/** More clients are only counted. */
export const topologyLimits = { stations: 1500 } as const;

const TopologyNode = Type.Object({
  id: Type.String(),
  kind: Words(topologyKinds),
  /** Remark, host name or LLDP name. */
  name: Nullable(Type.String()),
  mac: Nullable(Type.String()),
  /** Set for managed devices only. */
  status: Nullable(Words(deviceStatuses)),
  about: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  parent: Nullable(Type.String()),
  link: Nullable(
    Type.Object({
      source: Words(topologySources),
      /** Upper and lower end, each in its own naming. */
      port: Nullable(Type.String()),
      child_port: Nullable(Type.String()),
      /** Mbit/s, reported by either end. */
      speed: Nullable(Type.Integer()),
    }),
  ),
  apart: Nullable(Words(apartReasons)),
  /** Empty for what is not managed, or has not reported. */
  ports: Type.Array(DevicePort),
  /** Time of the neighbour report; stale if older than the last report. */
  reported_at: Nullable(Time),
  /** Wireless clients: dBm, GHz and SSID. */
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
    'Tree of a network: gateway, switches, access points, LLDP neighbours and present clients. Only reported links are drawn; `apart` says why a node has none.',
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    as_of: Time,
    remark: Type.String(),
    /** Nodes without `parent` are roots or detached. */
    nodes: Type.Array(TopologyNode),
    /** Present clients, and those not among the nodes. */
    stations: Type.Integer(),
    left_out: Type.Integer(),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});
