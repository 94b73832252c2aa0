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
import { isSwitchReport } from './switch-ports.ts';
import { type Clamps, capped, cleanText } from './values.ts';

/** Null: not reported. */
export interface Absolute {
  rx: number | null;
  tx: number | null;
}

/** WANs by interface, wireless networks by BSSID. */
export interface AbsoluteCounters {
  wan: Map<string, Absolute>;
  bss: Map<string, Absolute & { band: Band }>;
}

const maxUplinks = 64;
const maxNetworks = 512;

/** Returns null without interfaces. */
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
      const band = bandOf(ssid, state);
      if (bssid && band && !bss.has(bssid)) bss.set(bssid, { ...absolute(ssid.counters), band });
    }
  }
  // switches list all ports under `upstream`: no internet traffic
  if (!uplinks && !isSwitchReport(state)) {
    const { upstream } = asRecord<NonNullable<State['link-state']>>(state['link-state']);
    for (const [name, link] of Object.entries(asRecord(upstream))) {
      const text = cleanText(name, 32);
      if (text) wan.set(text, absolute(asRecord<LinkState>(link).counters));
    }
  }
  return {
    wan: new Map(capped([...wan], maxUplinks, clamps)),
    bss: new Map(capped([...bss], maxNetworks, clamps)),
  };
}

/** Falls back to the interface name. */
export function bssidOf(ssid: { readonly bssid?: unknown; readonly iface?: unknown }): string | null {
  return normaliseMac(ssid.bssid) ?? cleanText(ssid.iface, 32);
}

function absolute(value: unknown): Absolute {
  const { rx_bytes, tx_bytes } = asRecord<Counters>(value);
  return { rx: asCount(rx_bytes), tx: asCount(tx_bytes) };
}
