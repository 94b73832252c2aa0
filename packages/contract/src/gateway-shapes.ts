import { type Static, Type } from 'typebox';
import { edgeDays, forwardProtocols, gatewayLimits, limitKinds, lineAddressings } from './gateway-limits.ts';
import { FreeText, Words } from './shapes.ts';

export * from './gateway-limits.ts';

const Name = Type.String({ rule: 'nameText', maxLength: gatewayLimits.nameLength });
/** Not sent to the gateway. */
const Note = Type.Union([Type.Literal(''), FreeText(gatewayLimits.nameLength)]);
const Port = Type.String({ pattern: '^(WAN|LAN)[1-9][0-9]?$', hint: 'noPort' });
const Address = Type.String({ maxLength: 15 });
/** Gateway address with prefix: `192.168.1.1/24`. */
const Host = Type.String({ maxLength: 18 });
const Ports = Type.String({ maxLength: 11 });
const macForm = '^([0-9a-f]{2}:){5}[0-9a-f]{2}$';
const Mac = Type.String({ pattern: macForm, hint: 'mac' });

function OrNull(schema: Record<string, unknown>) {
  return Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });
}

function WholeOrNull({ min, max }: { min: number; max: number }) {
  return Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: min, maximum: max });
}

/** Mbit/s from the client's view; null: unlimited. */
const Rate = WholeOrNull(gatewayLimits.rateMbps);

/** In order of priority: the first working one carries traffic. */
export const GatewayWan = Type.Object({
  name: Name,
  port: Port,
  /** 802.1Q tag; null or absent: untagged. */
  vlan: Type.Optional(WholeOrNull(gatewayLimits.lineVlan)),
  /** Bytes; null or absent: unchanged. */
  mtu: Type.Optional(WholeOrNull(gatewayLimits.mtu)),
  mac: Type.Optional(OrNull({ pattern: macForm, hint: 'mac' })),
  addressing: Words(lineAddressings),
  /** From here on only for `static`. */
  address: OrNull({ maxLength: 18 }),
  gateway: OrNull({ maxLength: 15 }),
  /** Empty and dynamic: servers from DHCP. */
  dns: Type.Array(Address, { maxItems: gatewayLimits.dns }),
  down_mbps: Rate,
  up_mbps: Rate,
  /** Ping targets; default: the uplink's gateway, its DNS servers and a public address. */
  probe: Type.Array(Address, { maxItems: gatewayLimits.probes }),
  /** Connections move back once a preferred uplink works again; default: they stay until they end. */
  metered: Type.Optional(Type.Boolean()),
  /** Allows SSH to the gateway; default: no. */
  ssh: Type.Optional(Type.Boolean()),
});
export type GatewayWan = Static<typeof GatewayWan>;

export const GatewayLease = Type.Object({ mac: Mac, address: Address, note: Note });
export type GatewayLease = Static<typeof GatewayLease>;

export const GatewayNetwork = Type.Object({
  name: Name,
  address: Host,
  vlan: WholeOrNull(gatewayLimits.vlan),
  ports: Type.Array(Port, { maxItems: 64, uniqueItems: true }),
  tagged: Type.Array(Port, { maxItems: 64, uniqueItems: true }),
  /** Null: no DHCP. */
  pool: Type.Union([
    Type.Object({
      first: Address,
      count: Type.Integer({ minimum: gatewayLimits.poolCount.min, maximum: gatewayLimits.poolCount.max }),
      lease_minutes: Type.Integer({
        minimum: gatewayLimits.leaseMinutes.min,
        maximum: gatewayLimits.leaseMinutes.max,
      }),
    }),
    Type.Null(),
  ]),
  leases: Type.Array(GatewayLease, { maxItems: gatewayLimits.staticLeases }),
  /** Allows SSH to the gateway from this VLAN; an untagged LAN always does. */
  ssh: Type.Optional(Type.Boolean()),
  /** Default: no. */
  ntp: Type.Optional(Type.Boolean()),
});
export type GatewayNetwork = Static<typeof GatewayNetwork>;

/** From the WAN uplinks to a client. */
export const GatewayForward = Type.Object({
  note: Note,
  protocol: Words(forwardProtocols),
  port: Ports,
  address: Address,
  /** Null: unchanged. */
  to_port: OrNull({ maxLength: 11 }),
});
export type GatewayForward = Static<typeof GatewayForward>;

export const GatewayRoute = Type.Object({
  to: Host,
  /** Address, or the name of a WAN uplink. */
  via: Type.String({ minLength: 1, maxLength: gatewayLimits.nameLength }),
});
export type GatewayRoute = Static<typeof GatewayRoute>;

export const GatewayRateLimit = Type.Object({
  name: Name,
  kind: Words(limitKinds),
  /** MAC, address, or LAN name. */
  target: Type.String({ minLength: 1, maxLength: gatewayLimits.nameLength }),
  down_mbps: Rate,
  up_mbps: Rate,
});
export type GatewayRateLimit = Static<typeof GatewayRateLimit>;

export const GatewayReboot = Type.Object({
  days: Type.Array(Words(edgeDays), { minItems: 1, maxItems: edgeDays.length, uniqueItems: true }),
  at: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', hint: 'timeOfDay' }),
  /** IANA. */
  time_zone: Type.String({ minLength: 1, maxLength: 64 }),
});

export const GatewaySettings = Type.Object({
  /** Seconds until an unconfirmed configuration is reverted. */
  confirm_s: Type.Integer({ minimum: gatewayLimits.confirm.min, maximum: gatewayLimits.confirm.max }),
  lines: Type.Array(GatewayWan, { minItems: 1, maxItems: gatewayLimits.lines }),
  networks: Type.Array(GatewayNetwork, { maxItems: gatewayLimits.networks }),
  forwards: Type.Array(GatewayForward, { maxItems: gatewayLimits.forwards }),
  routes: Type.Array(GatewayRoute, { maxItems: gatewayLimits.routes }),
  limits: Type.Array(GatewayRateLimit, { maxItems: gatewayLimits.rateLimits }),
  reboot: Type.Union([GatewayReboot, Type.Null()]),
  /** The agent may stop another DNS server of the host; it starts again when the gateway serves no LAN any more. */
  take_port53: Type.Optional(Type.Boolean()),
});
export type GatewaySettings = Static<typeof GatewaySettings>;
