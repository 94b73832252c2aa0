import { asCount, asText } from '@yunxun/contract/device';
import type { Layout } from '../measure/layout.ts';

export interface TraceRequest {
  uri: string;
  device: string;
  seconds: number;
  packets: number;
  snaplen: number;
  filter: string | null;
}

export const traceLimits = { seconds: 300, packets: 100_000, bytes: 16 << 20, snaplen: 65_535 } as const;

const usual = { seconds: 30, packets: 10_000 } as const;

/**
 * Validates `trace`: `interface` (`WAN1`, `up0v0`) or `network` (`upstream`, `downstream`, `up`, `down`: its first
 * interface). Uploads go to the console's origin only.
 */
export function readTrace(
  params: Readonly<Record<string, unknown>>,
  known: { layout: Layout; ports: Readonly<Record<string, string>>; origins: readonly string[] },
): TraceRequest | { wrong: string } {
  const uri = asText(params.uri, 2048);
  const origin = uri === null ? null : originOf(uri);
  if (uri === null || origin === null || !known.origins.includes(origin))
    return { wrong: 'uri is not of this console' };
  const place = asText(params.interface, 32);
  const side = asText(params.network, 32);
  const device = place !== null ? deviceOf(place, known) : side === null ? null : deviceOfSide(side, known.layout);
  if (device === null) return { wrong: 'there is no such interface or network' };
  const filter = asText(params.filter, 1024)?.trim() ?? '';
  // no control sequences in logs; tcpdump validates the expression
  if (/[^\x20-\x7e]/.test(filter)) return { wrong: 'filter has characters that no filter has' };
  const seconds = asCount(params.duration);
  const packets = asCount(params.packets);
  return {
    uri,
    device,
    filter: filter === '' ? null : filter,
    seconds: within(seconds, packets === null ? usual.seconds : traceLimits.seconds, traceLimits.seconds),
    packets: within(packets, seconds === null ? usual.packets : traceLimits.packets, traceLimits.packets),
    snaplen: within(asCount(params.snaplen), traceLimits.snaplen, traceLimits.snaplen),
  };
}

function within(value: number | null, otherwise: number, max: number): number {
  return value === null || value < 1 ? otherwise : Math.min(value, max);
}

export function originOf(uri: string): string | null {
  try {
    const { origin, protocol, username, password } = new URL(uri);
    return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? origin : null;
  } catch {
    return null;
  }
}

export function deviceOf(
  place: string,
  known: { layout: Layout; ports: Readonly<Record<string, string>> },
): string | null {
  if (Object.hasOwn(known.ports, place)) return known.ports[place]!;
  return known.layout.interfaces.find(({ name }) => name === place)?.device ?? null;
}

function deviceOfSide(side: string, { interfaces }: Layout): string | null {
  const role = ['upstream', 'up', 'wan'].includes(side) ? 'upstream' : 'downstream';
  if (role === 'downstream' && !['downstream', 'down', 'lan'].includes(side)) return null;
  return interfaces.find((one) => one.role === role)?.device ?? null;
}
