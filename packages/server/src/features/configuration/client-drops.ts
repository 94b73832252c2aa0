import type { configuration } from '@yunxun/contract';
import {
  type Association,
  asList,
  asRecord,
  asTexts,
  type State,
  type StateInterface,
  type StateSsid,
} from '@yunxun/contract/device';
import { canonical, type UcentralDocument } from './compile/index.ts';

export type DropCause = configuration.DropCause;

export interface ClientDrops {
  drop: number;
  /** SSID disappears or changes its security; if the former document is unknown, by name only. */
  lost: number;
  /** Each client counts once, under the first cause of `dropCauses`. */
  causes: { cause: DropCause; radios: number; clients: number }[];
}

/**
 * Wireless settings by what they restart (wlan-ucentral-schema interface/ssid.uc, OpenWrt hostapd.uc, 2026):
 * `wifi-device` its radio, `wifi-iface` its SSID. Deny list and rates count only when they appear or disappear.
 * Conservative where firmware differs: added or removed SSIDs and transmit power restart the radio.
 */
interface Air {
  radios: Map<string, string>;
  /** Key: band and SSID, such as "5G House". */
  ssids: Map<string, string>;
  /** The same without the name, by which a renamed SSID is known. */
  nameless: Map<string, string>;
  doors: Map<string, string>;
}

const bandOf = (name: string) => name.slice(0, 2);
const placeOf = (band: string, ssid: string) => `${band} ${ssid}`;

function airOf(document: UcentralDocument | null): Air {
  const air: Air = { radios: new Map(), ssids: new Map(), nameless: new Map(), doors: new Map() };
  const parts = new Map<string, unknown[]>();
  const add = (band: string, part: unknown) => parts.set(band, [...(parts.get(band) ?? []), part]);
  for (const radio of document?.radios ?? []) add(bandOf(radio.band), radio);
  for (const { vlan, role, ssids } of document?.interfaces ?? []) {
    for (const ssid of ssids ?? []) {
      const { 'wifi-bands': bands, 'access-control-list': list, 'rate-limit': rates, ...own } = ssid;
      const { 'quality-thresholds': signal, ...rest } = own;
      const settings = { rest, vlan, role, list: list !== undefined, rates: rates !== undefined };
      const { proto, key } = ssid.encryption ?? {};
      air.doors.set(ssid.name, canonical({ proto, key }));
      for (const band of (bands ?? []).map(bandOf)) {
        air.ssids.set(placeOf(band, ssid.name), canonical(settings));
        air.nameless.set(placeOf(band, ssid.name), canonical({ ...settings, rest: { ...rest, name: '' } }));
        // the firmware stores the minimum signal with the radio
        if (signal) add(band, signal['association-request-rssi']);
      }
    }
  }
  for (const [band, list] of parts) air.radios.set(band, canonical(list));
  return air;
}

function radioCause(was: Air, will: Air, band: string): DropCause | null {
  const places = (air: Air) => [...air.ssids.keys()].filter((place) => bandOf(place) === band);
  if (was.radios.get(band) !== will.radios.get(band)) return 'radio_changed';
  const added = places(will).filter((place) => !was.ssids.has(place));
  const removed = places(was).filter((place) => !will.ssids.has(place));
  const before = removed.map((place) => was.nameless.get(place));
  const isRenamed = (place: string) => {
    const at = before.indexOf(will.nameless.get(place));
    if (at >= 0) before.splice(at, 1);
    return at >= 0;
  };
  if (!added.every(isRenamed)) return 'ssid_added';
  if (added.length > 0) return 'ssid_renamed';
  return removed.length > 0 ? 'ssid_removed' : null;
}

/** Uses the last report. `before` null: unknown. */
export function clientDrops(report: unknown, before: UcentralDocument | null, after: UcentralDocument): ClientDrops {
  const [was, will] = [airOf(before), airOf(after)];
  const bands = new Set([...was.radios.keys(), ...will.radios.keys()]);
  for (const place of [...was.ssids.keys(), ...will.ssids.keys()]) bands.add(bandOf(place));
  const restarts = new Map<string, DropCause | null>(
    [...bands].map((band) => [band, before === null ? 'first' : radioCause(was, will, band)]),
  );
  const causes = new Map<DropCause, { radios: number; clients: number }>();
  const under = (cause: DropCause) => {
    const found = causes.get(cause) ?? { radios: 0, clients: 0 };
    causes.set(cause, found);
    return found;
  };
  for (const cause of restarts.values()) if (cause) under(cause).radios += 1;
  const isChanged = (place: string) => was.ssids.get(place) !== will.ssids.get(place);
  if ([...will.ssids.keys()].some((place) => !restarts.get(bandOf(place)) && isChanged(place))) under('ssid_changed');
  let [drop, lost] = [0, 0];
  for (const { ssid, bands: on, clients } of associated(report, [...bands])) {
    const found = on.map((band): DropCause | null => {
      const cause = restarts.get(band);
      if (cause) return cause;
      const place = placeOf(band, ssid);
      if (!will.ssids.has(place)) return 'ssid_removed';
      return isChanged(place) ? 'ssid_changed' : null;
    });
    const cause = found.find((one) => one !== null);
    if (!cause) continue;
    drop += clients;
    under(cause).clients += clients;
    const [old, next] = [was.doors.get(ssid), will.doors.get(ssid)];
    if (next === undefined || (old !== undefined && old !== next)) lost += clients;
  }
  if (causes.size === 0) under('no_restart');
  return { drop, lost, causes: [...causes].map(([cause, counts]) => ({ cause, ...counts })) };
}

/** Counts a client without a reported band on any. */
function associated(report: unknown, every: readonly string[]) {
  return asList(asRecord<State>(report).interfaces).flatMap((entry) =>
    asList(asRecord<StateInterface>(entry).ssids).map((member) => {
      const { ssid, band, associations } = asRecord<StateSsid>(member);
      const own = asTexts(band).map(bandOf);
      return {
        ssid: String(ssid),
        bands: own.length > 0 ? own : every,
        clients: asList(associations).filter((one) => asRecord<Association>(one).station !== undefined).length,
      };
    }),
  );
}

export interface DropSum {
  cause: DropCause;
  devices: number;
  radios: number;
  terminals: number;
}

export function sumDrops(all: readonly ClientDrops['causes'][]): DropSum[] {
  const sums = new Map<DropCause, DropSum>();
  for (const { cause, radios, clients } of all.flat()) {
    const sum = sums.get(cause) ?? { cause, devices: 0, radios: 0, terminals: 0 };
    sums.set(cause, {
      cause,
      devices: sum.devices + 1,
      radios: sum.radios + radios,
      terminals: sum.terminals + clients,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.terminals - a.terminals || (a.cause < b.cause ? -1 : 1));
}
