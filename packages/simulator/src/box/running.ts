import {
  asFlag,
  asList,
  asNumber,
  asRecord,
  asText,
  asTexts,
  type ConfigurationDocument,
  isRecord,
} from '@yunxun/contract/device';
import { type Metrics, readMetrics } from '@yunxun/edge';
import { deviceMac } from '../world/addresses.ts';
import type { Bss } from '../world/bss.ts';
import { TrafficCounter } from '../world/counter.ts';
import type { Random } from '../world/random.ts';
import { isOpen, lacksKey } from './accept.ts';
import type { Hardware, RadioHardware } from './hardware.ts';

export interface RunningRadio {
  hardware: RadioHardware;
  channel: number;
  widthMhz: number;
  txPower: number;
}

export interface RunningBss extends Bss {
  denied: ReadonlySet<string>;
  location: string;
  iface: string;
  radio: number;
  signature: string;
}

export interface RunningInterface {
  index: number;
  name: string;
  role: 'upstream' | 'downstream';
  subnet: string | null;
  leased: boolean;
  bsses: readonly RunningBss[];
  traffic: TrafficCounter;
}

export interface Running {
  uuid: number;
  name: string | null;
  metrics: Metrics;
  radios: readonly RunningRadio[];
  interfaces: readonly RunningInterface[];
}

/**
 * Builds the running configuration from a valid document. Unchanged networks and interfaces keep counters and clients.
 */
export function realise(
  document: ConfigurationDocument,
  hardware: Hardware,
  serial: string,
  random: Random,
  before: Running | null,
): Running {
  const radios = realiseRadios(document, hardware, random, before);
  const airBefore = before?.interfaces.flatMap((entry) => entry.bsses) ?? [];
  let wlan = 0;
  const interfaces = asList(document.interfaces).map((raw, index): RunningInterface => {
    const entry = asRecord(raw);
    const role = entry.role === 'downstream' ? 'downstream' : 'upstream';
    const name = `${role === 'upstream' ? 'up' : 'down'}${index}v${asNumber(asRecord(entry.vlan).id) ?? 0}`;
    const bsses = asList(entry.ssids).flatMap((rawSsid, ssidIndex): RunningBss[] => {
      const ssid = asRecord<Record<string, unknown>>(rawSsid);
      if (lacksKey(ssid)) return [];
      const bands = asTexts(ssid['wifi-bands']);
      return radios.flatMap((radio, radioIndex) => {
        if (bands.length > 0 && !bands.some((band) => band.startsWith(radio.hardware.band))) return [];
        wlan += 1;
        const bss: RunningBss = {
          serial,
          ssid: asText(ssid.name, 32) ?? '',
          bssid: deviceMac(serial, 15 + wlan),
          band: radio.hardware.band,
          channel: radio.channel,
          widthMhz: radio.widthMhz,
          open: isOpen(ssid),
          credentials: JSON.stringify(inOrder([ssid.encryption, ssid['multi-psk']])),
          denied: deniedBy(ssid),
          traffic: new TrafficCounter(),
          location: `/interfaces/${index}/ssids/${ssidIndex}`,
          iface: `wlan${wlan - 1}`,
          radio: radioIndex,
          signature: JSON.stringify([name, wlan, restartsWith(ssid), radio.channel, radio.widthMhz]),
        };
        const kept = airBefore.find((old) => old.signature === bss.signature);
        if (kept) kept.denied = bss.denied;
        return [kept ?? bss];
      });
    });
    const subnet = asText(asRecord(entry.ipv4).subnet, 64);
    return {
      index,
      name,
      role,
      bsses,
      leased: asRecord(entry.ipv4).addressing === 'dynamic',
      subnet: subnet?.startsWith('auto/') === true ? `192.168.${10 + index}.1/24` : subnet,
      traffic: before?.interfaces.find((old) => old.name === name)?.traffic ?? new TrafficCounter(),
    };
  });
  const name = asText(asRecord(document.unit).name, 64);
  return { uuid: document.uuid, name, metrics: readMetrics(document), radios, interfaces };
}

function deniedBy(ssid: Record<string, unknown>): ReadonlySet<string> {
  const list = asRecord<Record<string, unknown>>(ssid['access-control-list']);
  return new Set(list.mode === 'deny' ? asTexts(list['mac-address']).map((mac) => mac.toLowerCase()) : []);
}

/** Deny list and rates reload in place; only their appearance or disappearance restarts the SSID. */
function restartsWith(ssid: Record<string, unknown>): unknown {
  const { 'access-control-list': list, 'rate-limit': rates, ...rest } = ssid;
  return [inOrder(rest), list !== undefined, rates !== undefined];
}

/** Documents of equal meaning spell their keys in any order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  return Object.keys(value)
    .toSorted()
    .map((key) => [key, inOrder(value[key])]);
}

function realiseRadios(
  document: ConfigurationDocument,
  hardware: Hardware,
  random: Random,
  before: Running | null,
): RunningRadio[] {
  return hardware.radios.flatMap((own): RunningRadio[] => {
    const raw = asList(document.radios).find((entry) => String(asRecord(entry).band).startsWith(own.band));
    if (raw === undefined) return [];
    const radio = asRecord(raw);
    if (asFlag(radio.enable) === false) return [];
    const fixed = asNumber(radio.channel);
    const allowed = asList(radio['valid-channels']).filter((entry): entry is number => typeof entry === 'number');
    const usual = own.usual.filter((channel) => allowed.length === 0 || allowed.includes(channel));
    const now = before?.radios.find((old) => old.hardware.band === own.band)?.channel;
    const stays = now !== undefined && usual.includes(now);
    const found = usual.length > 0 ? random.pick(usual) : (allowed[0] ?? own.usual[0] ?? 1);
    const automatic = stays ? now : found;
    return [
      {
        hardware: own,
        channel: fixed !== null && own.channels.includes(fixed) ? fixed : automatic,
        widthMhz: Math.min(asNumber(radio['channel-width']) ?? (own.band === '2G' ? 20 : 80), own.widestMhz),
        txPower: Math.min(asNumber(radio['tx-power']) ?? own.maxDbm, own.maxDbm),
      },
    ];
  });
}
