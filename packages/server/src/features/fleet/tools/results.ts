import type { fleetTools as contract, DataOf } from '@yunxun/contract';
import { asCount, asList, asNumber, asRecord, asText, type WifiScanEntry } from '@yunxun/contract/device';

type Detail = DataOf<typeof contract.toolDetail>;
export type Ping = NonNullable<Detail['ping']>;
export type Hop = NonNullable<Detail['hops']>[number];
export type Neighbour = NonNullable<Detail['neighbours']>[number];

/** What is kept of a use of a tool. */
export interface ToolResult {
  output?: string;
  ping?: Ping;
  hops?: Hop[];
  neighbours?: Neighbour[];
}

/** Characters of a device's output that are kept. */
export const mostOutput = 16_000;
/** Neighbours that are kept, the strongest. */
const mostNeighbours = 500;

/** What `ping` of BusyBox or iputils printed at its end. */
export function readPing(output: string): Ping {
  const sums = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output);
  const loss = /([\d.]+)% packet loss/.exec(output);
  const times = /= ([\d.]+)\/([\d.]+)\/([\d.]+)/.exec(output);
  const number = (text: string | undefined) => (text === undefined ? null : asNumber(Number(text)));
  return {
    sent: number(sums?.[1]),
    received: number(sums?.[2]),
    loss_pct: number(loss?.[1]),
    min_ms: number(times?.[1]),
    avg_ms: number(times?.[2]),
    max_ms: number(times?.[3]),
  };
}

/** The lines of `traceroute -n -q 1`: number, address, time; a hop that did not answer is `*`. */
export function readHops(output: string): Hop[] {
  return output.split('\n').flatMap((line) => {
    const found = /^\s*(\d{1,3})\s+(?:\*|([0-9a-fA-F.:]+)(?:\s+([\d.]+)\s*ms)?)/.exec(line);
    if (!found) return [];
    return [{ hop: Number(found[1]), address: found[2] ?? null, ms: found[3] === undefined ? null : Number(found[3]) }];
  });
}

/** Networks that a scan heard, each once, the strongest first; `owner` says whose device sends one. */
export function readScan(scan: readonly unknown[], owner: (bssid: string) => string | null): Neighbour[] {
  const heard = new Map<string, Neighbour>();
  for (const entry of scan) {
    const { bssid, ssid, channel, frequency, signal, ch_util, sta_count } = asRecord<WifiScanEntry>(entry);
    const name = asText(bssid, 32)?.toLowerCase();
    if (!name) continue;
    const strength = asNumber(signal);
    const known = heard.get(name);
    if (known && (known.signal ?? -999) >= (strength ?? -999)) continue;
    heard.set(name, {
      bssid: name,
      ssid: asText(ssid, 64) || null,
      channel: asCount(channel),
      frequency: asCount(frequency),
      signal: strength === null ? null : Math.round(strength),
      util_pct: asNumber(ch_util),
      stations: asCount(sta_count),
      own: owner(name),
    });
  }
  return [...heard.values()].toSorted((a, b) => (b.signal ?? -999) - (a.signal ?? -999)).slice(0, mostNeighbours);
}

/** BSSIDs that a state report says a device sends. */
export function bssidsOf(state: unknown): string[] {
  return asList(asRecord<{ interfaces: unknown }>(state).interfaces).flatMap((one) =>
    asList(asRecord<{ ssids: unknown }>(one).ssids).flatMap(
      (ssid) => asText(asRecord<{ bssid: unknown }>(ssid).bssid, 32)?.toLowerCase() ?? [],
    ),
  );
}
