import { configuration } from '@yunxun/contract';
import { newId } from '../../platform/database/index.ts';
import { isChannel } from './compile/channels.ts';
import type { DeviceOverride, Ssid, WirelessIntent } from './compile/index.ts';
import { readLan } from './compile/lan.ts';
import { Complaints } from './complaints.ts';

const { bands, configurationLimits, keyedSecurities, sixGigahertzSecurities } = configuration;
type RadioSettings = configuration.RadioSettings;

/** What is saved: settings as they came in. */
export interface IntentInput {
  ssids: readonly configuration.SsidInput[];
  radios: readonly RadioSettings[];
  country?: string | null | undefined;
}

/**
 * The intent that an input means over the one in force: new SSIDs get an id, known ones keep the key that they do not
 * bring, and an SSID without a key has none.
 * @throws Invalid with the complaints beside their fields
 */
export function completeIntent(current: WirelessIntent, input: IntentInput): WirelessIntent {
  const complaints = new Complaints();
  const known = new Map(current.ssids.map((ssid) => [ssid.id, ssid]));
  const ssids = input.ssids.map(({ key, id, ...fields }, index): Ssid => {
    const before = id === undefined ? undefined : known.get(id);
    if (id !== undefined && !before) complaints.add(`ssids.${index}.id`, 'validation.invalid');
    const keyed = keyedSecurities.includes(fields.security);
    const own = keyed ? (key ?? before?.key ?? null) : null;
    if (keyed && own === null) complaints.add(`ssids.${index}.key`, 'validation.required');
    return { ...fields, id: id ?? newId(), key: own };
  });
  checkSsids(ssids, complaints);
  checkRadios(input.radios, complaints);
  complaints.settle();
  return { country: input.country ?? null, ssids, radios: input.radios };
}

/** @throws Invalid with the complaints beside their fields */
export function checkOverride(override: DeviceOverride): void {
  const complaints = new Complaints();
  checkRadios(override.radios, complaints);
  if (override.lan_address !== null && !readLan(override.lan_address))
    complaints.add('lan_address', 'validation.invalid');
  complaints.settle();
}

function checkSsids(ssids: readonly Ssid[], complaints: Complaints): void {
  const [names, ids] = [new Set<string>(), new Set<string>()];
  for (const [index, ssid] of ssids.entries()) {
    if (names.has(ssid.name)) complaints.add(`ssids.${index}.name`, 'validation.duplicate');
    if (ids.has(ssid.id)) complaints.add(`ssids.${index}.id`, 'validation.duplicate');
    names.add(ssid.name);
    ids.add(ssid.id);
    const only6G = ssid.bands.every((band) => band === '6G');
    if (only6G && !sixGigahertzSecurities.includes(ssid.security))
      complaints.add(`ssids.${index}.security`, 'validation.choice');
  }
  const most = configurationLimits.ssidsPerBand;
  if (bands.some((band) => ssids.filter((ssid) => ssid.enabled && ssid.bands.includes(band)).length > most)) {
    complaints.add('ssids', 'validation.maxItems', { max: most });
  }
}

const widest = { '2G': 40, '5G': 160, '6G': 320 } as const;

function checkRadios(radios: readonly RadioSettings[], complaints: Complaints): void {
  const seen = new Set<string>();
  for (const [index, { band, channel, width, mode }] of radios.entries()) {
    if (seen.has(band)) complaints.add(`radios.${index}.band`, 'validation.duplicate');
    seen.add(band);
    if (typeof channel === 'number' && !isChannel(band, channel))
      complaints.add(`radios.${index}.channel`, 'validation.choice');
    if (width !== null && width > widest[band]) complaints.add(`radios.${index}.width`, 'validation.choice');
    if (band === '6G' && (mode === 'HT' || mode === 'VHT')) complaints.add(`radios.${index}.mode`, 'validation.choice');
  }
}
