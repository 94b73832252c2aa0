import { type Static, Type } from 'typebox';
import { edgeDays, edgeLimits } from './device/edge-document.ts';
import { Words } from './shapes.ts';

/** How a line gets its address. */
export const lineAddressings = ['dynamic', 'static'] as const;
export type LineAddressing = (typeof lineAddressings)[number];

export const forwardProtocols = ['tcp', 'udp', 'any'] as const;
export type ForwardProtocol = (typeof forwardProtocols)[number];

/** What a rate limit is about: a terminal by its MAC or its address, or all of a LAN together. */
export const limitKinds = ['mac', 'address', 'network'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** What the gateway of a network cannot do; said before anything is tried. */
export const gatewayGates = [
  'no_gateway',
  'never_connected',
  'firmware',
  'no_vlan',
  'no_shaping',
  'no_ifb',
  'no_dhcp_client',
  'no_dnsmasq',
  'no_reboot',
] as const;
export type GatewayGate = (typeof gatewayGates)[number];

/** Sizes of what may be set of a gateway. */
export const gatewayLimits = {
  lines: edgeLimits.lines,
  networks: edgeLimits.interfaces - edgeLimits.lines,
  staticLeases: edgeLimits.staticLeases,
  forwards: edgeLimits.portForwards,
  routes: edgeLimits.routes,
  rateLimits: edgeLimits.limits,
  nameLength: edgeLimits.name,
  dns: 4,
  probes: edgeLimits.probeAddresses,
  vlan: { min: 2, max: 4050 },
  linePrefix: edgeLimits.linePrefix,
  lanPrefix: edgeLimits.lanPrefix,
  leaseMinutes: { min: 2, max: 525_600 },
  rateMbps: { min: 1, max: 10_000 },
  /** Seconds. */
  confirm: edgeLimits.confirm,
} as const;

/** A name by which the parts of the settings refer to each other. */
const Name = Type.String({ rule: 'nameText', maxLength: gatewayLimits.nameLength });
/** What a person calls an entry; the box does not hear of it. */
const Note = Type.String({ rule: 'noSpecialCharacters', maxLength: gatewayLimits.nameLength });
/** A socket of the box, as its enrolment named it. */
const Port = Type.String({ pattern: '^(WAN|LAN)[1-9][0-9]?$' });
/** An IPv4 address; its meaning is checked with the rest. */
const Address = Type.String({ maxLength: 15 });
/** An address of the box with the length of its network's prefix: `192.168.1.1/24`. */
const Host = Type.String({ maxLength: 18 });
/** A port or a range of them: `8080`, `8000-8010`. */
const Ports = Type.String({ maxLength: 11 });
const Mac = Type.String({ pattern: '^([0-9a-f]{2}:){5}[0-9a-f]{2}$' });

function OrNull(schema: Record<string, unknown>) {
  return Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] });
}

/** Mbit/s, seen from the terminals; null is no limit. */
const Rate = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: gatewayLimits.rateMbps.min,
  maximum: gatewayLimits.rateMbps.max,
});

/** A line to the internet. Their order is their rank: the first that works carries the traffic. */
export const GatewayLine = Type.Object({
  name: Name,
  port: Port,
  addressing: Words(lineAddressings),
  /** The rest of the address belongs to `static`. */
  address: OrNull({ maxLength: 18 }),
  gateway: OrNull({ maxLength: 15 }),
  /** Name servers; empty on a dynamic line: those it is given. */
  dns: Type.Array(Address, { maxItems: gatewayLimits.dns }),
  down_mbps: Rate,
  up_mbps: Rate,
  /** Addresses that tell whether the line works; none: its gateway. */
  probe: Type.Array(Address, { maxItems: gatewayLimits.probes }),
  /** The box's own SSH answers here; it does not when nothing is said. */
  ssh: Type.Optional(Type.Boolean()),
});
export type GatewayLine = Static<typeof GatewayLine>;

/** An address kept for one terminal. */
export const GatewayLease = Type.Object({ mac: Mac, address: Address, note: Note });
export type GatewayLease = Static<typeof GatewayLease>;

/** A network of terminals. */
export const GatewayNetwork = Type.Object({
  name: Name,
  address: Host,
  vlan: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: gatewayLimits.vlan.min,
    maximum: gatewayLimits.vlan.max,
  }),
  /** Sockets that are in it without a tag. */
  ports: Type.Array(Port, { maxItems: 64, uniqueItems: true }),
  /** Sockets on which it is tagged with `vlan`. */
  tagged: Type.Array(Port, { maxItems: 64, uniqueItems: true }),
  /** Addresses that are given out; null: none are. */
  pool: Type.Union([
    Type.Object({
      first: Address,
      count: Type.Integer({ minimum: 1, maximum: 2 ** 24 }),
      lease_minutes: Type.Integer({
        minimum: gatewayLimits.leaseMinutes.min,
        maximum: gatewayLimits.leaseMinutes.max,
      }),
    }),
    Type.Null(),
  ]),
  leases: Type.Array(GatewayLease, { maxItems: gatewayLimits.staticLeases }),
  /** The box's own SSH answers here too, although it is a VLAN; where there is none it always does. */
  ssh: Type.Optional(Type.Boolean()),
});
export type GatewayNetwork = Static<typeof GatewayNetwork>;

/** Ports of the lines that lead to a terminal. */
export const GatewayForward = Type.Object({
  note: Note,
  protocol: Words(forwardProtocols),
  port: Ports,
  address: Address,
  /** Null: the same. */
  to_port: OrNull({ maxLength: 11 }),
});
export type GatewayForward = Static<typeof GatewayForward>;

/** A static route: to a network, by a neighbour. */
export const GatewayRoute = Type.Object({ to: Host, via: Address });
export type GatewayRoute = Static<typeof GatewayRoute>;

/** A rate limit of a terminal or of a LAN. */
export const GatewayRateLimit = Type.Object({
  name: Name,
  kind: Words(limitKinds),
  /** MAC, address, or name of a LAN. */
  target: Type.String({ minLength: 1, maxLength: gatewayLimits.nameLength }),
  down_mbps: Rate,
  up_mbps: Rate,
});
export type GatewayRateLimit = Static<typeof GatewayRateLimit>;

/** When the box restarts by itself. */
export const GatewayReboot = Type.Object({
  days: Type.Array(Words(edgeDays), { minItems: 1, maxItems: edgeDays.length, uniqueItems: true }),
  at: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
  /** IANA. */
  time_zone: Type.String({ minLength: 1, maxLength: 64 }),
});

/** What is meant of the gateway of a network. */
export const GatewaySettings = Type.Object({
  /** Seconds in which the box must have reached the console with the new settings, else it returns to the old ones. */
  confirm_s: Type.Integer({ minimum: gatewayLimits.confirm.min, maximum: gatewayLimits.confirm.max }),
  lines: Type.Array(GatewayLine, { minItems: 1, maxItems: gatewayLimits.lines }),
  networks: Type.Array(GatewayNetwork, { maxItems: gatewayLimits.networks }),
  forwards: Type.Array(GatewayForward, { maxItems: gatewayLimits.forwards }),
  routes: Type.Array(GatewayRoute, { maxItems: gatewayLimits.routes }),
  limits: Type.Array(GatewayRateLimit, { maxItems: gatewayLimits.rateLimits }),
  reboot: Type.Union([GatewayReboot, Type.Null()]),
});
export type GatewaySettings = Static<typeof GatewaySettings>;
