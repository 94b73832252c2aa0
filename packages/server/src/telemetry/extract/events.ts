import { asCount, asList, asNumber, asRecord, asText, normaliseClientMac, normaliseMac } from '@yunxun/contract/device';
import type { Band } from './bands.ts';
import { cleanText } from './values.ts';

export interface TerminalEvent {
  type: 'join' | 'leave';
  mac: string;
  /** Empty if wired. */
  bssid: string;
  ssid: string | null;
  /** 0 if wired. */
  band: Band | 0 | null;
  port: string | null;
  /** Unix seconds, device clock. */
  seconds: number | null;
  /** Final bytes and duration. */
  tx: number | null;
  rx: number | null;
  connectedS: number | null;
}

export function terminalEventOf(params: Readonly<Record<string, unknown>>): TerminalEvent | null {
  const [seconds, body] = asList(asRecord<{ event: unknown }>(params.data).event);
  const { type, payload } = asRecord<{ type: string; payload: unknown }>(body);
  if (type !== 'client.join' && type !== 'client.leave') return null;
  const raw = asRecord(payload);
  const mac = normaliseClientMac(raw.client);
  const bssid = normaliseMac(raw.bssid);
  // our agent names the port of wired clients
  const port = raw.bssid === undefined ? cleanText(raw.port, 32) : null;
  if (!mac || (!bssid && !port)) return null;
  const digit = (asText(raw.band, 8) ?? '').charAt(0);
  const at = asNumber(seconds);
  return {
    type: type === 'client.join' ? 'join' : 'leave',
    mac,
    bssid: bssid ?? '',
    ssid: bssid ? cleanText(raw.ssid, 64) : null,
    band: !bssid ? 0 : digit === '2' ? 2 : digit === '5' ? 5 : digit === '6' ? 6 : null,
    port,
    // 0: no clock
    seconds: at !== null && at > 0 && at < 1e11 ? at : null,
    tx: asCount(raw.tx_bytes),
    rx: asCount(raw.rx_bytes),
    connectedS: asCount(raw.connected_time),
  };
}
