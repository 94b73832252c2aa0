import { type MessageKey, t } from '../../app/i18n.ts';
import type { Change } from '../configuration/change-table.tsx';
import { modeNames } from '../configuration/draft.ts';
import { generalWords, type Lockable, radioWords } from './draft.ts';

type Band = '2G' | '5G' | '6G';

const ssidWords = {
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
} as const satisfies Record<string, MessageKey>;

/** What a field that can be locked is called. */
export function nameOfLockable({ label, about }: Pick<Lockable, 'label' | 'about'>): string {
  if (label === null) return about;
  if (about === '') return t(label);
  return t('template.lock_radio', { band: t(`wireless.band_${about as Band}`), field: t(label) });
}

/**
 * A field that differs between two versions of a template as the editor calls it; null for what only says which radio the
 * values beside it are of.
 */
export function fieldName(path: string): string | null {
  const [section = '', name = '', field = ''] = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (section === 'ssids') {
    const word = wordOf(ssidWords, field);
    return word ? t('template.ssid_field', { name, field: t(word) }) : path;
  }
  if (section === 'radios') return field === 'band' ? null : (lockableName(`radios.${name}.${field}`) ?? path);
  if (section === 'locks') return t('template.locked_field', { name: lockableName(name) ?? name });
  return lockableName(section === 'general' ? `general.${name}` : section) ?? path;
}

/** A value of such a field as the editor shows it. */
export function fieldValue(path: string, value: unknown): string {
  const [section, , last] = path.split('/').slice(1);
  if (value === null || value === undefined) return '';
  if (section === 'locks') return t('template.locked');
  if (typeof value === 'boolean') return t(value ? 'wireless.on' : 'wireless.off');
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

/** A difference between two versions, each of its values in words. */
export function inWords({ path, before, after }: Change): { path: string; before: string; after: string } | null {
  const name = fieldName(path);
  return name === null ? null : { path: name, before: fieldValue(path, before), after: fieldValue(path, after) };
}

/** The name of a field by the path that locks name it by. */
function lockableName(path: string): string | null {
  const [section, ...rest] = path.split('.');
  if (section === 'ssids') return rest.join('.');
  if (section === 'country') return t('wireless.country');
  if (section === 'general') {
    const word = wordOf(generalWords, rest[0]);
    return word && t(word);
  }
  const word = wordOf(radioWords, rest[1]);
  return word && nameOfLockable({ label: word, about: rest[0] ?? '' });
}

function wordOf<W extends Record<string, MessageKey>>(words: W, field = ''): W[keyof W] | null {
  return Object.hasOwn(words, field) ? (words[field] as W[keyof W]) : null;
}
