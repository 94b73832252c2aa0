import { configuration, type layers as contract } from '@yunxun/contract';
import type { DeviceOverride, OverrideInForce, RadioSettings, Ssid, WirelessIntent } from '../compile/intent.ts';
import { withoutRule } from '../compile/port-rules.ts';

export type GeneralSettings = contract.GeneralSettings;
export type Source = contract.Source;

/** Null falls through to the layer below. */
export interface LayerContent {
  country: string | null;
  ssids: readonly Ssid[];
  radios: readonly RadioSettings[];
  general: GeneralSettings;
  locks: readonly string[];
}

export interface Layer {
  kind: 'ac' | 'wireless' | 'network' | 'group';
  id: string;
  name: string;
  content: LayerContent;
}

export interface MergedSettings {
  network: WirelessIntent;
  override: OverrideInForce;
  general: GeneralSettings;
  /** Keys are paths (`ssids.<id>`); defaults are missing. */
  sources: ReadonlyMap<string, Source>;
}

export const noGeneral: GeneralSettings = {
  leds: null,
  fast_roaming: null,
  neighbour_reports: null,
  minimum_rssi: null,
  ports: null,
};
export const noContent: LayerContent = { country: null, ssids: [], radios: [], general: noGeneral, locks: [] };

const rank = ({ kind }: Layer) => configuration.valueSources.indexOf(kind);
const sourceOf = ({ kind, id, name }: Layer, locked: boolean): Source => ({ layer: kind, id, name, locked });
const fromDevice: Source = { layer: 'device', id: '', name: '', locked: false };

/**
 * Merges purely and in any order: the more specific layer wins unless a lower one locks the field. SSIDs match by name.
 */
export function mergeLayers(given: readonly Layer[], own: DeviceOverride): MergedSettings {
  const layers = given.toSorted((a, b) => rank(a) - rank(b));
  const sources = new Map<string, Source>();
  /** Picks the last layer, or the first that locks the field. */
  function pick<T>(path: string, read: (content: LayerContent) => T | null | undefined): T | null {
    let value: T | null = null;
    for (const layer of layers) {
      const reported = read(layer.content);
      if (reported === null || reported === undefined) continue;
      const locked = layer.content.locks.includes(path);
      value = reported;
      sources.set(path, sourceOf(layer, locked));
      if (locked) break;
    }
    return value;
  }
  const isLocked = (path: string) => sources.get(path)?.locked ?? false;
  const country = pick('country', (content) => content.country);
  const radios = configuration.bands.flatMap((band) => {
    const entry: Record<string, unknown> = { band };
    for (const field of configuration.radioFields)
      entry[field] = pick(`radios.${band}.${field}`, ({ radios: all }) => radioOf(all, band)?.[field]);
    const radio = entry as RadioSettings;
    return configuration.radioFields.some((field) => radio[field] !== null) ? [radio] : [];
  });
  const general = {
    leds: pick('general.leds', (content) => content.general.leds),
    fast_roaming: pick('general.fast_roaming', (content) => content.general.fast_roaming),
    neighbour_reports: pick('general.neighbour_reports', (content) => content.general.neighbour_reports),
    minimum_rssi: pick('general.minimum_rssi', (content) => content.general.minimum_rssi),
    ports: pick('general.ports', (content) => content.general.ports),
  };
  const ssids = mergeSsids(layers, sources);
  const override: OverrideInForce = {
    ...own,
    radios: own.radios.map((radio) => ownRadio(radio, isLocked, sources)),
    ssids_off: own.ssids_off.filter((id) => !isLocked(`ssids.${id}`)),
    ...(own.ports &&
      isLocked('general.ports') && { ports: own.ports.map((port) => withoutRule(port, general.ports ?? [])) }),
  };
  return { network: { country, ssids, radios }, override, general, sources };
}

function radioOf(radios: readonly RadioSettings[], band: configuration.Band): RadioSettings | undefined {
  return radios.find((radio) => radio.band === band);
}

function mergeSsids(layers: readonly Layer[], sources: Map<string, Source>): Ssid[] {
  const byName = new Map<string, Ssid>();
  for (const layer of layers) {
    for (const ssid of layer.content.ssids) {
      const before = byName.get(ssid.name);
      if (before && sources.get(`ssids.${before.id}`)?.locked) continue;
      if (before) sources.delete(`ssids.${before.id}`);
      byName.set(ssid.name, ssid);
      sources.set(`ssids.${ssid.id}`, sourceOf(layer, layer.content.locks.includes(`ssids.${ssid.name}`)));
    }
  }
  return [...byName.values()];
}

function ownRadio(
  radio: RadioSettings,
  isLocked: (path: string) => boolean,
  sources: Map<string, Source>,
): RadioSettings {
  const kept: Record<string, unknown> = { band: radio.band };
  for (const field of configuration.radioFields) {
    const path = `radios.${radio.band}.${field}`;
    const value = isLocked(path) ? null : radio[field];
    kept[field] = value;
    if (value !== null) sources.set(path, fromDevice);
  }
  return kept as RadioSettings;
}
