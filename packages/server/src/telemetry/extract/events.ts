import { asCount, asList, asNumber, asRecord, asText, normaliseMac } from '@yunxun/contract/device';
import type { Band } from './bands.ts';
import { cleanText } from './values.ts';

/** A terminal came or went, by the device's own word. */
export interface TerminalEvent {
  type: 'join' | 'leave';
  mac: string;
  /** Empty on a cable. */
  bssid: string;
  ssid: string | null;
  /** 0 on a cable; null when the device did not say. */
  band: Band | 0 | null;
  /** The socket of a cable. */
  port: string | null;
  /** The device's clock, Unix seconds; null when it has none. */
  seconds: number | null;
  /** Of a leave: the final absolute bytes and the length of the session. */
  tx: number | null;
  rx: number | null;
  connectedS: number | null;
}

/** The event of a message `event`, when it is about a terminal that came or went. */
export function terminalEventOf(params: Readonly<Record<string, unknown>>): TerminalEvent | null {
  const [seconds, body] = asList(asRecord<{ event: unknown }>(params.data).event);
  const { type, payload } = asRecord<{ type: string; payload: unknown }>(body);
  if (type !== 'client.join' && type !== 'client.leave') return null;
  const said = asRecord(payload);
  const mac = normaliseMac(said.client);
  const bssid = normaliseMac(said.bssid);
  // our own agent names the socket of who came or left by cable; what names neither was nowhere
  const port = said.bssid === undefined ? cleanText(said.port, 32) : null;
  if (!mac || (!bssid && !port)) return null;
  const digit = (asText(said.band, 8) ?? '').charAt(0);
  const at = asNumber(seconds);
  return {
    type: type === 'client.join' ? 'join' : 'leave',
    mac,
    bssid: bssid ?? '',
    ssid: bssid ? cleanText(said.ssid, 64) : null,
    band: !bssid ? 0 : digit === '2' ? 2 : digit === '5' ? 5 : digit === '6' ? 6 : null,
    port,
    // devices without a clock say 0
    seconds: at !== null && at > 0 && at < 1e11 ? at : null,
    tx: asCount(said.tx_bytes),
    rx: asCount(said.rx_bytes),
    connectedS: asCount(said.connected_time),
  };
}
