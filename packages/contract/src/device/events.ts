/** Devices send only groups (before the dot) of `metrics.realtime.types`. */
export interface EventPayloads {
  'client.join': { client: string; ssid: string; bssid: string; channel: number; band: string };
  /** Totals: `tx` to the client, `rx` from it; seconds. */
  'client.leave': {
    client: string;
    bssid: string;
    ssid: string;
    tx_bytes: number;
    rx_bytes: number;
    tx_packets: number;
    rx_packets: number;
    connected_time: number;
  };
  'client.key-mismatch': { client: string; ssid: string; bssid: string };
  'wired.carrier-up': { name: string };
  'wired.carrier-down': { name: string };
  'wifi.start': { ssid: string; bssid: string; channel: number; band: string };
  'wifi.stop': { ssid: string; bssid: string; channel: number; band: string };
  'health.dns': { iface: string; error: string };
  'health.dhcp': { iface: string; error: string };
  'health.radius': { ssid: string; error: string };
  'health.wifi': { ssid: string; error: string };
  'health.memory': { error: string };
  'unit.boot-up': { cause: string };
  /** Edge agent: until Unix seconds. */
  'unit.config-pending': { uuid: number; until: number };
  /** Edge agent: configuration reverted. */
  'unit.config-returned': { uuid: number; reason: string };
  /** Edge agent: missing configuration restored. */
  'unit.config-healed': { what: readonly string[] };
  /** Edge agent: fallback to the previous version. */
  'unit.upgrade-returned': { version: string };
  /** Edge agent: a WAN by DHCP, by name. */
  'dhcp.no-answer': { name: string };
  'dhcp.refused': { name: string };
  'dhcp.no-gateway': { name: string };
  /** Edge agent: failover of prefixes (20 at most). */
  'sdwan.path': { network: string; from: string; to: string; prefixes: readonly string[] };
  ssh: Record<string, unknown>;
  /** Switches: boot reason, sent after `connect`. */
  'device.reboot': { description: string };
}

/** Sent regardless of `metrics.realtime.types`. */
export const edgeEvents = [
  'unit.config-pending',
  'unit.config-returned',
  'unit.config-healed',
  'unit.upgrade-returned',
  'dhcp.no-answer',
  'dhcp.refused',
  'dhcp.no-gateway',
  'sdwan.path',
] as const;

export type EventType = keyof EventPayloads;

export const eventGroups = ['client', 'wired', 'health', 'wifi', 'unit', 'ssh'] as const;
export type EventGroup = (typeof eventGroups)[number];

/** Returns `client` for `client.join`. */
export function eventGroup(type: string): string {
  const dot = type.indexOf('.');
  return dot < 0 ? type : type.slice(0, dot);
}
