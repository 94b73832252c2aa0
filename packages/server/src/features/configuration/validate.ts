import { configuration, type switches } from '@yunxun/contract';
import { normaliseMac } from '@yunxun/contract/rules';
import { newId } from '../../platform/database/index.ts';
import { isChannel } from './compile/channels.ts';
import type { DeviceOverride, RadiusServer, Ssid, SsidKey, WirelessIntent } from './compile/index.ts';
import { readLan } from './compile/lan.ts';
import { ValidationErrors } from './validation-errors.ts';

const {
  bands,
  configurationLimits,
  enterpriseSecurities,
  keyedSecurities,
  multiKeySecurities,
  sixGigahertzSecurities,
} = configuration;
type RadioSettings = configuration.RadioSettings;

export interface IntentInput {
  ssids: readonly configuration.SsidInput[];
  radios: readonly RadioSettings[];
  country?: string | null | undefined;
}

/**
 * Gives ids to new SSIDs and keys; known ones keep omitted secrets. Unused secrets are dropped.
 * @param restored ids with all secrets, as in backups
 * @throws Invalid
 */
export function completeIntent(
  current: WirelessIntent,
  input: IntentInput,
  restored: ReadonlySet<string> = new Set(),
): WirelessIntent {
  const complaints = new ValidationErrors();
  const known = new Map(current.ssids.map((ssid) => [ssid.id, ssid]));
  const ssids = input.ssids.map(({ key, id, radius, keys, ...fields }, index): Ssid => {
    const field = `ssids.${index}`;
    const before = id === undefined ? undefined : known.get(id);
    if (id !== undefined && !before && !restored.has(id)) complaints.add(`${field}.id`, 'validation.invalid');
    const keyed = keyedSecurities.includes(fields.security);
    const own = keyed ? (key ?? before?.key ?? null) : null;
    if (keyed && own === null) complaints.add(`${field}.key`, 'validation.required');
    const ssid: Ssid = { ...fields, id: id ?? newId(), key: own };
    if (enterpriseSecurities.includes(fields.security))
      ssid.radius = completeRadius(radius, before?.radius, `${field}.radius`, complaints);
    if (multiKeySecurities.includes(fields.security) && keys && keys.length > 0)
      ssid.keys = completeKeys(
        keys,
        before?.keys ?? [],
        { field: `${field}.keys`, own, restored: !before },
        complaints,
      );
    return ssid;
  });
  checkSsids(ssids, complaints);
  checkRadios(input.radios, complaints);
  complaints.settle();
  return { country: input.country ?? null, ssids, radios: input.radios };
}

type RadiusInput = configuration.SsidInput['radius'];
type ServerInput = NonNullable<RadiusInput>['auth'];

function completeRadius(
  input: RadiusInput,
  before: Ssid['radius'],
  field: string,
  complaints: ValidationErrors,
): NonNullable<Ssid['radius']> {
  if (!input) complaints.add(`${field}.auth.host`, 'validation.required');
  const server = (given: ServerInput, old: RadiusServer | null | undefined, name: string): RadiusServer => {
    const { host, port } = given;
    // another server needs its secret again
    const kept = old?.host === host && old.port === port ? old.secret : null;
    const secret = given.secret ?? kept;
    if (secret === null) complaints.add(`${field}.${name}.secret`, 'validation.required');
    return { host, port, secret };
  };
  const { auth, acct } = input ?? { auth: { host: '', port: 1812, secret: '' }, acct: null };
  return { auth: server(auth, before?.auth, 'auth'), acct: acct && server(acct, before?.acct, 'acct') };
}

function completeKeys(
  input: NonNullable<configuration.SsidInput['keys']>,
  before: readonly SsidKey[],
  { field, own, restored }: { field: string; own: string | null; restored: boolean },
  complaints: ValidationErrors,
): SsidKey[] {
  const known = new Map(before.map((one) => [one.id, one]));
  const [used, labels] = [new Set([`${own} `]), new Set<string>()];
  return input.map(({ id, label, key: given, mac, vlan }, index) => {
    const old = id === undefined ? undefined : known.get(id);
    if (id !== undefined && !old && !restored) complaints.add(`${field}.${index}.id`, 'validation.invalid');
    const key = given ?? old?.key ?? null;
    if (key === null) complaints.add(`${field}.${index}.key`, 'validation.required');
    const address = mac === null ? null : normaliseMac(mac);
    // the first matching key wins: a duplicate would hide a VLAN
    const use = `${key} ${address ?? ''}`;
    if (used.has(use)) complaints.add(`${field}.${index}.key`, 'validation.duplicate');
    if (labels.has(label)) complaints.add(`${field}.${index}.label`, 'validation.duplicate');
    used.add(use);
    labels.add(label);
    return { id: id ?? newId(), label, key, mac: address, vlan };
  });
}

/** @throws Invalid */
export function checkOverride(override: DeviceOverride): void {
  const complaints = new ValidationErrors();
  checkRadios(override.radios, complaints);
  if (override.lan_address !== null && !readLan(override.lan_address))
    complaints.add('lan_address', 'validation.invalid');
  complaints.settle();
  checkPorts(override.ports ?? []);
}

function checkSsids(ssids: readonly Ssid[], complaints: ValidationErrors): void {
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

function checkRadios(radios: readonly RadioSettings[], complaints: ValidationErrors): void {
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

/** @throws Invalid */
export function checkPorts(ports: readonly switches.PortSettings[]): void {
  const complaints = new ValidationErrors();
  const seen = new Set<string>();
  for (const [index, { port, vlan, tagged }] of ports.entries()) {
    if (seen.has(port)) complaints.add(`ports.${index}.port`, 'validation.duplicate');
    seen.add(port);
    if (tagged?.includes(vlan)) complaints.add(`ports.${index}.tagged`, 'validation.duplicate');
  }
  complaints.settle();
}
