import {
  type Association,
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  normaliseClientMac,
  type State,
  type StateRadio,
  type StateSsid,
  type StationRate,
  type Wire,
} from '@yunxun/contract/device';
import { noiseOf } from './levels.ts';
import { interfacesOf, ssidsOf } from './neighbours.ts';
import { largestInt32, wholeWithin } from './values.ts';

/** Wireless link of a client in one report; null: not reported. */
export interface ClientLink {
  /** Of the last frame: 4 (802.11n) to 7 (802.11be). */
  generation: 4 | 5 | 6 | 7 | null;
  down_kbps: number | null;
  up_kbps: number | null;
  /** dB above noise. */
  snr_db: number | null;
  /** Percent of frames to the client that were resent since it joined. */
  retry_pct: number | null;
  channel: number | null;
  /** MHz */
  width: number | null;
}

const generations = [
  ['eht', 7],
  ['he', 6],
  ['vht', 5],
  ['ht', 4],
] as const;
const widths = [5, 10, 20, 40, 80, 160, 320] as const;

export function clientLink(state: Wire<State>, mac: string): ClientLink | undefined {
  for (const port of interfacesOf(state)) {
    for (const ssid of ssidsOf(port)) {
      for (const entry of asList(ssid.associations)) {
        const association = asRecord<Association>(entry);
        if (normaliseClientMac(association.station) === mac) return linkOf(association, radioOf(state, ssid));
      }
    }
  }
  return undefined;
}

function radioOf(state: Wire<State>, ssid: Wire<StateSsid>): Wire<StateRadio> | null {
  const index = /^#\/radios\/(\d{1,2})$/.exec(asText(asRecord<{ $ref: string }>(ssid.radio).$ref, 64) ?? '')?.[1];
  const radio = index === undefined ? undefined : asList(state.radios)[Number(index)];
  return radio === undefined ? null : asRecord<StateRadio>(radio);
}

function linkOf(association: Wire<Association>, radio: Wire<StateRadio> | null): ClientLink {
  const [down, up] = [asRecord<StationRate>(association.tx_rate), asRecord<StationRate>(association.rx_rate)];
  const rssi = wholeWithin(association.rssi, -120, -1);
  const noise = radio && noiseOf(radio);
  const [sent, again] = [asCount(association.tx_packets), asCount(association.tx_retries)];
  return {
    generation: generations.find(([flag]) => down[flag] === true || up[flag] === true)?.[1] ?? null,
    down_kbps: wholeWithin(down.bitrate, 1, largestInt32),
    up_kbps: wholeWithin(up.bitrate, 1, largestInt32),
    snr_db: rssi === null || noise === null ? null : rssi - noise,
    retry_pct: sent === null || again === null || sent + again === 0 ? null : (100 * again) / (sent + again),
    channel: radio && wholeWithin(radio.channel, 1, 233),
    width: (radio && widths.find((width) => width === asNumber(radio.channel_width))) ?? null,
  };
}
