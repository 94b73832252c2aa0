import type { Data, Input } from '../../app/api.ts';
import type { MessageKey } from '../../app/i18n.ts';
import { intentOf, type Draft as WirelessDraft, draftOf as wirelessOf } from '../configuration/draft.ts';

export type Template = Data<'/api/v3/wireless_template/detail'>;
export type Kind = Template['kind'];
export type General = Template['general'];
type Content = Omit<Input<'/api/v3/wireless_template/create'>, 'kind' | 'name'>;

/** What a person has changed of a template and not saved. */
export interface Draft extends WirelessDraft {
  name: string;
  general: General;
  /** Fields that networks, groups and devices may not change. */
  locks: readonly string[];
}

const noGeneral: General = { leds: null, fast_roaming: null, neighbour_reports: null, minimum_rssi: null };

export const emptyDraft: Draft = { name: '', ssids: [], radios: [], country: null, general: noGeneral, locks: [] };

/** A template as a draft. */
export function draftOf(template: Template): Draft {
  const { name, general, locks } = template;
  return { ...wirelessOf(template), name, general, locks };
}

/** A draft as the server takes it. Locks of what is no longer set go. */
export function contentOf(draft: Draft): Content {
  const open = new Set(lockable(draft).map(({ path }) => path));
  return { ...intentOf(draft), general: draft.general, locks: draft.locks.filter((path) => open.has(path)) };
}

/** Locks when SSIDs have changed: those of one that is renamed go with its name. */
export function locksAfter({ ssids, locks }: Pick<Draft, 'ssids' | 'locks'>, now: Draft['ssids']): string[] {
  const names = new Map(now.map(({ ref, name }) => [ref, name]));
  const paths = new Map(ssids.map(({ ref, name }) => [`ssids.${name}`, `ssids.${names.get(ref) ?? name}`]));
  return locks.map((path) => paths.get(path) ?? path);
}

/** Whether anything would be saved. */
export function isChanged(draft: Draft, saved: Draft): boolean {
  return draft.name !== saved.name || JSON.stringify(contentOf(draft)) !== JSON.stringify(contentOf(saved));
}

/** A field that a template sets, and so may lock. */
export interface Lockable {
  path: string;
  /** What it is called: a key, with the band where it is a radio's; an SSID by its name. */
  label: MessageKey | null;
  about: string;
}

/** What the fields of radios are called. */
export const radioWords = {
  enabled: 'wireless.radio_on',
  channel: 'wireless.channel',
  width: 'wireless.width',
  power: 'wireless.power',
  mode: 'wireless.mode',
} as const;
/** What the fields beside SSIDs and radios are called. */
export const generalWords = {
  leds: 'template.leds',
  fast_roaming: 'template.fast_roaming',
  neighbour_reports: 'template.neighbour_reports',
  minimum_rssi: 'template.minimum_rssi',
} as const;

/** What a draft sets, in the order of the editor. */
export function lockable({ ssids, radios, country, general }: Omit<Draft, 'name' | 'locks'>): Lockable[] {
  const fields = Object.keys(radioWords) as (keyof typeof radioWords)[];
  const generals = Object.keys(generalWords) as (keyof General)[];
  return [
    ...ssids.filter(({ name }) => name !== '').map(({ name }) => ({ path: `ssids.${name}`, label: null, about: name })),
    ...radios.flatMap((radio) =>
      fields
        .filter((field) => radio[field] !== null)
        .map((field) => ({ path: `radios.${radio.band}.${field}`, label: radioWords[field], about: radio.band })),
    ),
    ...(country ? [{ path: 'country', label: 'wireless.country' as const, about: '' }] : []),
    ...generals
      .filter((field) => general[field] !== null)
      .map((field) => ({ path: `general.${field}`, label: generalWords[field], about: '' })),
  ];
}
