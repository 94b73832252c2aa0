/**
 * Realtime events as the firmware's own registry has them. They are sent only when `metrics.realtime.types` of the
 * configuration names their group (the part before the first dot).
 */
export interface EventPayloads {
  'client.join': { client: string; ssid: string; bssid: string; channel: number; band: string };
  /** Final traffic of the session: `tx` is to the station (download), `rx` from it (upload); time in seconds. */
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
  /** Our own agent: a configuration is being applied and waits, until then (unix seconds), for the console to be reached. */
  'unit.config-pending': { uuid: number; until: number };
  /** Our own agent: a configuration was tried and taken back, and why. */
  'unit.config-returned': { uuid: number; reason: string };
  /** Our own agent: what of the configuration was not there any more, and is back. */
  'unit.config-healed': { what: readonly string[] };
  /** Our own agent: a version of it did not report in time, and the one before runs again. */
  'unit.upgrade-returned': { version: string };
  ssh: Record<string, unknown>;
  /** Switches: follows `connect` in place of its `reason`. */
  'device.reboot': { description: string };
}

/** Events of our own agent that are sent whatever the configuration names. */
export const edgeEvents = [
  'unit.config-pending',
  'unit.config-returned',
  'unit.config-healed',
  'unit.upgrade-returned',
] as const;

/** Name of an event in the registry. */
export type EventType = keyof EventPayloads;

/** Groups that `metrics.realtime.types` may name. */
export const eventGroups = ['client', 'wired', 'health', 'wifi', 'unit', 'ssh'] as const;
/** One of `eventGroups`. */
export type EventGroup = (typeof eventGroups)[number];

/** Group of an event type: `client` of `client.join`. */
export function eventGroup(type: string): string {
  const dot = type.indexOf('.');
  return dot < 0 ? type : type.slice(0, dot);
}
