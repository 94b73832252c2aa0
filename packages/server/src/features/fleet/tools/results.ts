import type { fleetTools as contract, DataOf } from '@yunxun/contract';
import {
  asCount,
  asList,
  asNumber,
  asRecord,
  asText,
  type EdgeDnsResult,
  type EdgeHopResult,
  type EdgeSpeedResult,
  type EdgeSpeedSample,
  type WifiScanEntry,
} from '@yunxun/contract/device';

import type { HttpCheck, TcpCheck } from './checks.ts';
import type { Throughput } from './throughput.ts';

type Detail = DataOf<typeof contract.toolDetail>;
export type Ping = NonNullable<Detail['ping']>;
export type Hop = NonNullable<Detail['hops']>[number];
export type Lookup = NonNullable<Detail['lookups']>[number];
export type Speed = NonNullable<Detail['speed']>;
export type Neighbour = NonNullable<Detail['neighbours']>[number];

export interface HopProbe {
  serial: string;
  /** Null: the gateway did not answer, or cannot. */
  found: EdgeHopResult | null;
}

export interface ToolResult {
  path?: HopProbe[];
  output?: string;
  ping?: Ping;
  hops?: Hop[];
  lookups?: Lookup[];
  tcp?: TcpCheck;
  http?: HttpCheck;
  throughput?: Throughput;
  speed?: Speed;
  neighbours?: Neighbour[];
}

export const maxOutput = 16_000;
const maxNeighbours = 500;

/** Parses BusyBox or iputils. */
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

/** Parses `traceroute -n -q 1`; unanswered: `*`. */
export function readHops(output: string): Hop[] {
  return output.split('\n').flatMap((line) => {
    const found = /^\s*(\d{1,3})\s+(?:\*|([0-9a-fA-F.:]+)(?:\s+([\d.]+)\s*ms)?)/.exec(line);
    if (!found) return [];
    return [{ hop: Number(found[1]), address: found[2] ?? null, ms: found[3] === undefined ? null : Number(found[3]) }];
  });
}

export function readLookups(dns: unknown): Lookup[] {
  return asList(dns)
    .slice(0, 8)
    .map((entry): Lookup => {
      const { server, ms, answers, error } = asRecord<EdgeDnsResult>(entry);
      return {
        server: asText(server, 64) ?? '',
        ms: asNumber(ms),
        answers: asList(answers)
          .slice(0, 50)
          .flatMap((answer) => {
            const { type, value, ttl } = asRecord<EdgeDnsResult['answers'][number]>(answer);
            const kind = (['A', 'AAAA', 'PTR'] as const).find((one) => one === type);
            const text = asText(value, 255);
            return kind && text ? [{ type: kind, value: text, ttl: asCount(ttl) }] : [];
          }),
        error: asText(error, 200),
      };
    });
}

export function readHop(hop: unknown): EdgeHopResult | null {
  const { tunnels, host } = asRecord<EdgeHopResult>(hop);
  if (!Array.isArray(tunnels)) return null;
  const { present, ping, tcp } = asRecord<NonNullable<EdgeHopResult['host']>>(host);
  const known = (['open', 'closed', 'silent'] as const).find((one) => one === tcp) ?? null;
  return {
    tunnels: asList(tunnels)
      .slice(0, 8)
      .map((entry) => {
        const { address, answers } = asRecord<EdgeHopResult['tunnels'][number]>(entry);
        return { address: asText(address, 15) ?? '', answers: answers === true };
      }),
    host:
      typeof ping === 'boolean' ? { present: typeof present === 'boolean' ? present : null, ping, tcp: known } : null,
  };
}

export function readSpeed(speed: unknown): Speed & { error: string | null } {
  const { down, up, error } = asRecord<EdgeSpeedResult>(speed);
  const sample = (way: unknown): Speed['down'] => {
    const { bytes, ms } = asRecord<EdgeSpeedSample>(way);
    const [count, time] = [asCount(bytes), asCount(ms)];
    if (count === null || !time) return null;
    return { bytes: count, seconds: time / 1000, mbps: Math.round((count * 8) / time / 10) / 100 };
  };
  return { down: sample(down), up: sample(up), error: asText(error, 200) };
}

/** Returns each BSSID once, strongest first; `owner` finds own devices. */
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
      util_pct: utilizationPercent(ch_util),
      stations: asCount(sta_count),
      own: owner(name),
    });
  }
  return [...heard.values()].toSorted((a, b) => (b.signal ?? -999) - (a.signal ?? -999)).slice(0, maxNeighbours);
}

/** Converts BSS Load (0-255, IEEE 802.11 9.4.2.26) to percent; null if invalid. */
function utilizationPercent(load: unknown): number | null {
  const value = asNumber(load);
  return value === null || value < 0 || value > 255 ? null : Math.round((value * 100) / 255);
}

export function bssidsOf(state: unknown): string[] {
  return asList(asRecord<{ interfaces: unknown }>(state).interfaces).flatMap((one) =>
    asList(asRecord<{ ssids: unknown }>(one).ssids).flatMap(
      (ssid) => asText(asRecord<{ bssid: unknown }>(ssid).bssid, 32)?.toLowerCase() ?? [],
    ),
  );
}
