import { configuration, type switches } from '@yunxun/contract';
import { isHexKey, normaliseMac } from '@yunxun/contract/rules';
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
  const errors = new ValidationErrors();
  const known = new Map(current.ssids.map((ssid) => [ssid.id, ssid]));
  const ssids = input.ssids.map(({ key, id, radius, keys, ...fields }, index): Ssid => {
    const field = `ssids.${index}`;
    const before = id === undefined ? undefined : known.get(id);
    if (id !== undefined && !before && !restored.has(id)) errors.add(`${field}.id`, 'validation.invalid');
    const keyed = keyedSecurities.includes(fields.security);
    const own = keyed ? (key ?? before?.key ?? null) : null;
    if (keyed && own === null) errors.add(`${field}.key`, 'validation.required');
    const ssid: Ssid = { ...fields, id: id ?? newId(), key: own };
    if (enterpriseSecurities.includes(fields.security))
      ssid.radius = completeRadius(radius, before?.radius, `${field}.radius`, errors);
    if (multiKeySecurities.includes(fields.security) && keys && keys.length > 0)
      ssid.keys = completeKeys(keys, before?.keys ?? [], { field: `${field}.keys`, own, restored: !before }, errors);
    return ssid;
  });
  checkSsids(ssids, errors);
  checkRadios(input.radios, errors);
  errors.settle();
  return { country: input.country ?? null, ssids, radios: input.radios };
}

type RadiusInput = configuration.SsidInput['radius'];
type ServerInput = NonNullable<RadiusInput>['auth'];

function completeRadius(
  input: RadiusInput,
  before: Ssid['radius'],
  field: string,
  errors: ValidationErrors,
): NonNullable<Ssid['radius']> {
  if (!input) errors.add(`${field}.auth.host`, 'validation.required');
  const server = (given: ServerInput, old: RadiusServer | null | undefined, name: string): RadiusServer => {
    const { host, port } = given;
    // another server needs its secret again
    const kept = old?.host === host && old.port === port ? old.secret : null;
    const secret = given.secret ?? kept;
    if (secret === null) errors.add(`${field}.${name}.secret`, 'validation.required');
    return { host, port, secret };
  };
  const { auth, acct } = input ?? { auth: { host: '', port: 1812, secret: '' }, acct: null };
  return { auth: server(auth, before?.auth, 'auth'), acct: acct && server(acct, before?.acct, 'acct') };
}

function completeKeys(
  input: NonNullable<configuration.SsidInput['keys']>,
  before: readonly SsidKey[],
  { field, own, restored }: { field: string; own: string | null; restored: boolean },
  errors: ValidationErrors,
): SsidKey[] {
  const known = new Map(before.map((one) => [one.id, one]));
  // hex digits of any case are one key
  const keyOf = (key: string | null) => (key !== null && isHexKey(key) ? key.toLowerCase() : key);
  const [used, labels] = [new Set([`${keyOf(own)} `]), new Set<string>()];
  return input.map(({ id, label, key: given, mac, vlan }, index) => {
    const old = id === undefined ? undefined : known.get(id);
    if (id !== undefined && !old && !restored) errors.add(`${field}.${index}.id`, 'validation.invalid');
    const key = given ?? old?.key ?? null;
    if (key === null) errors.add(`${field}.${index}.key`, 'validation.required');
    const address = mac === null ? null : normaliseMac(mac);
    // the first matching key wins: a duplicate would hide a VLAN
    const use = `${keyOf(key)} ${address ?? ''}`;
    if (used.has(use)) errors.add(`${field}.${index}.key`, 'validation.duplicate');
    if (labels.has(label.toLowerCase())) errors.add(`${field}.${index}.label`, 'validation.duplicate');
    used.add(use);
    labels.add(label.toLowerCase());
    return { id: id ?? newId(), label, key, mac: address, vlan };
  });
}

/** @throws Invalid */
export function checkOverride(override: DeviceOverride): void {
  const errors = new ValidationErrors();
  checkRadios(override.radios, errors);
  if (override.lan_address !== null && !readLan(override.lan_address)) errors.add('lan_address', 'validation.invalid');
  errors.settle();
  checkPorts(override.ports ?? []);
}

function checkSsids(ssids: readonly Ssid[], errors: ValidationErrors): void {
  const [names, ids] = [new Set<string>(), new Set<string>()];
  for (const [index, ssid] of ssids.entries()) {
    // phones show no outer blanks
    const name = ssid.name.trim();
    if (names.has(name)) errors.add(`ssids.${index}.name`, 'validation.duplicate');
    if (ids.has(ssid.id)) errors.add(`ssids.${index}.id`, 'validation.duplicate');
    names.add(name);
    ids.add(ssid.id);
    const only6G = ssid.bands.every((band) => band === '6G');
    if (only6G && !sixGigahertzSecurities.includes(ssid.security))
      errors.add(`ssids.${index}.security`, 'validation.choice');
  }
  const max = configurationLimits.ssidsPerBand;
  if (bands.some((band) => ssids.filter((ssid) => ssid.enabled && ssid.bands.includes(band)).length > max)) {
    errors.add('ssids', 'validation.maxItems', { max });
  }
}

const widest = { '2G': 40, '5G': 160, '6G': 320 } as const;

function checkRadios(radios: readonly RadioSettings[], errors: ValidationErrors): void {
  const seen = new Set<string>();
  for (const [index, { band, channel, width, mode }] of radios.entries()) {
    if (seen.has(band)) errors.add(`radios.${index}.band`, 'validation.duplicate');
    seen.add(band);
    if (typeof channel === 'number' && !isChannel(band, channel))
      errors.add(`radios.${index}.channel`, 'validation.choice');
    if (width !== null && width > widest[band]) errors.add(`radios.${index}.width`, 'validation.choice');
    if (band === '6G' && (mode === 'HT' || mode === 'VHT')) errors.add(`radios.${index}.mode`, 'validation.choice');
  }
}

/** @throws Invalid */
export function checkPorts(ports: readonly switches.PortSettings[]): void {
  const errors = new ValidationErrors();
  const seen = new Set<string>();
  for (const [index, { port, vlan, tagged }] of ports.entries()) {
    if (seen.has(port)) errors.add(`ports.${index}.port`, 'validation.duplicate');
    seen.add(port);
    if (tagged?.includes(vlan)) errors.add(`ports.${index}.tagged`, 'validation.duplicate');
  }
  errors.settle();
}
