import { type Static, Type } from 'typebox';
import { PreviewAnswer, SavedAnswer } from './configuration.ts';
import { endpoint } from './endpoint.ts';
import { deviceStatuses } from './enums.ts';
import { GatewaySettings, gatewayGates, plainWan, type GatewaySettings as Settings } from './gateway-shapes.ts';
import { SdwanError } from './sdwan-shapes.ts';
import { Id, Nullable, Serial, Time, Words } from './shapes.ts';

export * from './gateway-shapes.ts';

const shop = (): Settings => ({
  confirm_s: 60,
  lines: [plainWan('WAN', 'WAN1')],
  networks: [
    {
      name: 'LAN',
      address: '192.168.8.1/24',
      vlan: null,
      ports: ['LAN1'],
      tagged: [],
      pool: { first: '192.168.8.100', count: 100, lease_minutes: 360 },
      leases: [{ mac: '02:00:00:00:00:01', address: '192.168.8.20', note: 'Camera' }],
    },
  ],
  forwards: [{ note: 'Camera', protocol: 'tcp', port: '8080', address: '192.168.8.20', to_port: '80' }],
  routes: [{ to: '10.9.0.0/16', via: '192.168.8.9' }],
  limits: [{ name: 'Guests', kind: 'network', target: 'LAN', down_mbps: 50, up_mbps: 10 }],
  reboot: { days: ['mon'], at: '04:30', time_zone: 'Asia/Shanghai' },
});

/** Saved; else what the gateway reports that it runs; else a proposal. */
export const gatewayOrigins = ['saved', 'running', 'proposed'] as const;

export const gatewayGet = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.read',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/network/gateway/get',
  summary:
    "The settings of a network's gateway, and what that gateway cannot do. `version` 0: nothing was ever saved; `origin` says where `settings` come from.",
  body: Type.Object({ gwid: Id }),
  data: Type.Object({
    gwid: Id,
    version: Type.Integer(),
    settings: GatewaySettings,
    origin: Words(gatewayOrigins),
    gateway: Nullable(
      Type.Object({ serial: Serial, name: Type.String(), status: Words(deviceStatuses), model: Type.String() }),
    ),
    /** `WAN1`, `LAN1`; empty if unknown. */
    ports: Type.Array(Type.String()),
    /** Bytes; unknown ports are omitted. */
    mtus: Type.Array(Type.Object({ port: Type.String(), min: Type.Integer(), max: Type.Integer() })),
    gates: Type.Array(Words(gatewayGates)),
    /** By interface (`up0v0`: WAN1); empty: unknown. */
    reported: Type.Array(Type.Object({ interface: Type.String(), subnet: Type.String() })),
    updated_at: Nullable(Time),
    updated_by: Nullable(Type.String()),
  }),
  example: (seed) => ({ gwid: seed.network.gwid }),
});

/** What a save does to SD-WAN networks. `sdwan_wrong`: `from` is empty, see `errors`. */
export const gatewayEffects = ['sdwan_follows', 'sdwan_cut', 'sdwan_host', 'sdwan_reconnects', 'sdwan_wrong'] as const;

export const GatewayEffect = Type.Object({
  effect: Words(gatewayEffects),
  id: Id,
  name: Type.String(),
  from: Type.String(),
  /** Null: nothing replaces it. */
  to: Nullable(Type.String()),
  /** Names of other gateways, at most 20. */
  gateways: Type.Array(Type.String()),
  more: Type.Integer(),
  /** Why the plan does not follow. */
  errors: Type.Array(SdwanError),
});
export type GatewayEffect = Static<typeof GatewayEffect>;

export const gatewayPreview = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'read',
  object: { gwid: 'network' },
  path: '/api/v3/network/gateway/preview',
  bodyBytes: 1024 * 1024,
  summary:
    "What saving would change on the network's gateway, what of it the gateway cannot do, and which gateways of SD-WAN networks it cuts off.",
  body: Type.Object({ gwid: Id, settings: GatewaySettings }),
  data: Type.Object({ ...PreviewAnswer.properties, effects: Type.Array(GatewayEffect) }),
  example: (seed) => ({ gwid: seed.network.gwid, settings: shop() }),
});

export const gatewaySave = endpoint({
  access: 'user',
  method: 'POST',
  permission: 'config.write',
  effect: 'device',
  object: { gwid: 'network' },
  path: '/api/v3/network/gateway/save',
  bodyBytes: 1024 * 1024,
  summary:
    "Saves the settings of a network's gateway and brings them to it; 4104 when `version` is no longer the one in force, 4114 when the gateway cannot hold them.",
  body: Type.Object({ gwid: Id, version: Type.Integer({ minimum: 0 }), settings: GatewaySettings }),
  /** Null: no device. */
  data: SavedAnswer,
  example: (seed) => ({ gwid: seed.network.gwid, version: 0, settings: shop() }),
});
