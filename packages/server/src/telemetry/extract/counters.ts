import {
  asCount,
  asRecord,
  type Counters,
  type LinkState,
  normaliseMac,
  type State,
  type Wire,
} from '@yunxun/contract/device';
import { type Band, bandOf } from './bands.ts';
import { interfacesOf, ssidsOf } from './neighbours.ts';
import { type Clamps, capped, cleanText } from './values.ts';

/** Absolute bytes since something began; null where the device did not say. */
export interface Absolute {
  rx: number | null;
  tx: number | null;
}

/** Absolute counters of a report by name: of uplinks, and of wireless networks (BSS). */
export interface AbsoluteCounters {
  wan: Map<string, Absolute>;
  bss: Map<string, Absolute & { band: Band }>;
}

const mostUplinks = 64;
const mostNetworks = 512;

/** Reads the counters; null when the report shows no interfaces at all, which says nothing about them. */
export function countersOf(state: Wire<State>, clamps: Clamps): AbsoluteCounters | null {
  const ports = interfacesOf(state);
  if (ports.length === 0) return null;
  const wan: AbsoluteCounters['wan'] = new Map();
  const bss: AbsoluteCounters['bss'] = new Map();
  let uplinks = false;
  for (const port of ports) {
    const name = cleanText(port.name, 32);
    if (name?.startsWith('up')) {
      uplinks = true;
      if (!wan.has(name)) wan.set(name, absolute(port.counters));
    }
    for (const ssid of ssidsOf(port)) {
      const bssid = bssidOf(ssid);
      if (bssid && !bss.has(bssid)) bss.set(bssid, { ...absolute(ssid.counters), band: bandOf(ssid) });
    }
  }
  if (!uplinks) {
    const { upstream } = asRecord<NonNullable<State['link-state']>>(state['link-state']);
    for (const [name, link] of Object.entries(asRecord(upstream))) {
      const text = cleanText(name, 32);
      if (text) wan.set(text, absolute(asRecord<LinkState>(link).counters));
    }
  }
  return {
    wan: new Map(capped([...wan], mostUplinks, clamps)),
    bss: new Map(capped([...bss], mostNetworks, clamps)),
  };
}

/** What a wireless network is told apart by: its BSSID, else the name of its interface. */
export function bssidOf(ssid: { readonly bssid?: unknown; readonly iface?: unknown }): string | null {
  return normaliseMac(ssid.bssid) ?? cleanText(ssid.iface, 32);
}

function absolute(value: unknown): Absolute {
  const { rx_bytes, tx_bytes } = asRecord<Counters>(value);
  return { rx: asCount(rx_bytes), tx: asCount(tx_bytes) };
}
