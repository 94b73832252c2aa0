import { type Static, Type } from 'typebox';
import { Source } from './layer-shapes.ts';
import { PortName, ruledPortFields, switchLimits } from './port-shapes.ts';
import { Nullable, Serial, Time, Words } from './shapes.ts';

export * from './port-shapes.ts';

export const portSpeeds = [10, 100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000, 100_000, 200_000] as const;
export type PortSpeed = (typeof portSpeeds)[number];

/** Enabled, PoE on, VLAN 1 untagged, all VLANs tagged. */
export const PortSettings = Type.Object({
  port: PortName,
  label: Type.String({
    maxLength: switchLimits.labelLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    hint: 'noControl',
  }),
  ...ruledPortFields,
  /** Mbit/s; null: last seen speed. */
  speed: Type.Unsafe<PortSpeed | null>({ enum: [...portSpeeds, null] }),
});
export type PortSettings = Static<typeof PortSettings>;

export const PortList = Type.Array(PortSettings, { maxItems: switchLimits.ports });

export const portGates = ['no_report', 'no_poe', 'poe_off', 'uplink'] as const;
/** Why a template rule skips a port. */
export const ruleGates = ['uplink', 'uplink_unknown'] as const;

const Peer = Type.Object({
  name: Nullable(Type.String()),
  mac: Nullable(Type.String()),
  /** In the neighbour's naming. */
  port: Nullable(Type.String()),
  description: Nullable(Type.String()),
  address: Nullable(Type.String()),
  /** A device of this network. */
  serial: Nullable(Serial),
});

/** Last report and settings. */
export const PortRow = Type.Object({
  port: PortName,
  label: Type.String(),
  up: Type.Boolean(),
  /** Mbit/s and duplex; null while the link is down. */
  speed: Nullable(Type.Integer()),
  duplex: Nullable(Words(['half', 'full'])),
  /** Highest speed seen, Mbit/s. */
  top_speed: Nullable(Type.Integer()),
  uplink: Type.Boolean(),
  poe: Nullable(
    Type.Object({
      status: Nullable(Type.String()),
      fault: Nullable(Type.String()),
      class: Nullable(Type.Integer()),
      watts: Nullable(Type.Number()),
    }),
  ),
  /** Effective VLANs. */
  vlan: Type.Integer(),
  tagged: Type.Array(Type.Integer()),
  neighbours: Type.Array(Peer),
  clients: Type.Array(
    Type.Object({
      mac: Type.String(),
      name: Nullable(Type.String()),
      ip: Nullable(Type.String()),
      vlan: Nullable(Type.Integer()),
      serial: Nullable(Serial),
    }),
  ),
  client_total: Type.Integer(),
  /** Since boot, from the switch's view. */
  counters: Nullable(
    Type.Object({
      rx_bytes: Type.Integer(),
      tx_bytes: Type.Integer(),
      rx_errors: Type.Integer(),
      tx_errors: Type.Integer(),
      rx_dropped: Type.Integer(),
      tx_dropped: Type.Integer(),
    }),
  ),
  /** Bit/s between the last two reports. */
  rates: Nullable(Type.Object({ rx: Type.Number(), tx: Type.Number() })),
  /** Own, else template, else default. */
  settings: PortSettings,
  /** Own settings, which a save must repeat. */
  own: Type.Boolean(),
  source: Source,
  /** Why a matching template rule is not applied. */
  rule_gate: Nullable(Words(ruleGates)),
  /** When the console last restarted its power. */
  cycled_at: Nullable(Time),
  /** Why a power cycle is impossible. */
  cycle_gate: Nullable(Words(portGates)),
});
export type PortRow = Static<typeof PortRow>;

export function usualPort(port: string): PortSettings {
  return { port, label: '', enabled: true, poe: true, vlan: 1, tagged: null, speed: null };
}
