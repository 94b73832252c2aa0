import { type MessageKey, t } from '../../app/i18n.ts';
import type { Change } from '../../ui/changes/change-table.tsx';
import { modeNames } from '../configuration/index.ts';
import { generalLabels, type Lockable, radioLabels } from './draft.ts';

type Band = '2G' | '5G' | '6G';

const ssidLabels = {
  enabled: 'wireless.enabled',
  name: 'wireless.name',
  security: 'wireless.security',
  key: 'wireless.key',
  bands: 'wireless.bands',
  vlan: 'wireless.vlan',
  hidden: 'wireless.hidden',
  isolate: 'wireless.isolate',
  maximum_clients: 'wireless.max_clients',
  down_mbps: 'wireless.down',
  up_mbps: 'wireless.up',
  radius: 'wireless.radius_auth',
  keys: 'wireless.keys',
} as const satisfies Record<string, MessageKey>;

const portLabels = {
  ports: 'template.ports_range',
  enabled: 'template.ports_enabled',
  poe: 'template.ports_poe',
  vlan: 'template.ports_vlan',
  tagged: 'template.ports_tagged',
} as const satisfies Record<string, MessageKey>;

export function nameOfLockable({ label, about }: Pick<Lockable, 'label' | 'about'>): string {
  if (label === null) return about;
  if (about === '') return t(label);
  return t('template.lock_radio', { band: t(`wireless.band_${about as Band}`), field: t(label) });
}

/** Returns the editor's label of a changed field; null for fields that only identify the radio. */
export function fieldName(path: string): string | null {
  const [section = '', name = '', field = '', inner = ''] = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (section === 'ssids') {
    const word = wordOf(ssidLabels, field);
    return word ? t('template.ssid_field', { name, field: t(word) }) : path;
  }
  if (section === 'radios') return field === 'band' ? null : (lockableName(`radios.${name}.${field}`) ?? path);
  if (section === 'general' && name === 'ports' && field !== '') {
    const word = wordOf(portLabels, inner);
    return word ? t('template.ports_field', { n: Number(field) + 1, field: t(word) }) : path;
  }
  if (section === 'locks') return t('template.locked_field', { name: lockableName(name) ?? name });
  return lockableName(section === 'general' ? `general.${name}` : section) ?? path;
}

export function fieldValue(path: string, value: unknown): string {
  const [section, name, last] = path.split('/').slice(1);
  if (value === null || value === undefined) return '';
  if (section === 'locks') return t('template.locked');
  if (typeof value === 'boolean') return t(value ? 'wireless.on' : 'wireless.off');
  if (section === 'general' && name === 'ports')
    return Array.isArray(value) ? value.join(', ') || t('template.ports_tagged_none') : String(value);
  if (section === 'ssids' && (last === 'radius' || last === 'keys')) return secretsText(value);
  if (Array.isArray(value)) return value.map((band) => t(`wireless.band_${band as Band}`)).join(', ');
  if (section === 'general' && typeof value === 'number')
    return value === 0 ? t('template.no_minimum') : `${value} dBm`;
  if (last === 'security') return t(`wireless.security_${value as 'open'}`);
  if (last === 'power') return t(`wireless.power_${value as 'max'}`);
  if (last === 'width') return `${value as number} MHz`;
  if (last === 'mode') return modeNames[value as keyof typeof modeNames];
  if (section === 'radios' && value === 'auto') return t('wireless.channel_auto');
  return String(value);
}

function secretsText(value: unknown): string {
  if (Array.isArray(value)) return value.map(({ label }: { label: string }) => label).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { auth, acct, host, port } = value as Record<'auth' | 'acct', unknown> & { host?: string; port?: number };
  if (host !== undefined) return `${host}:${port}`;
  return [auth, acct].filter(Boolean).map(secretsText).join(', ');
}

export function inWords({ path, before, after }: Change): { path: string; before: string; after: string } | null {
  const name = fieldName(path);
  return name === null ? null : { path: name, before: fieldValue(path, before), after: fieldValue(path, after) };
}

function lockableName(path: string): string | null {
  const [section, ...rest] = path.split('.');
  if (section === 'ssids') return rest.join('.');
  if (section === 'country') return t('wireless.country');
  if (section === 'general') {
    const word = wordOf(generalLabels, rest[0]);
    return word && t(word);
  }
  const word = wordOf(radioLabels, rest[1]);
  return word && nameOfLockable({ label: word, about: rest[0] ?? '' });
}

function wordOf<W extends Record<string, MessageKey>>(labels: W, field = ''): W[keyof W] | null {
  return Object.hasOwn(labels, field) ? (labels[field] as W[keyof W]) : null;
}
