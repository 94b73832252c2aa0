import type { Data, Input } from '../../app/api.ts';
import type { MessageKey } from '../../app/i18n.ts';
import { intentOf, type Draft as WirelessDraft, draftOf as wirelessOf } from '../configuration/index.ts';
import type { General } from './general-settings.ts';
import { type RuleDraft, ruleOf, rulesOf } from './port-draft.ts';

export type Template = Data<'/api/v3/wireless_template/detail'>;
export type Kind = Template['kind'];
type Content = Omit<Input<'/api/v3/wireless_template/create'>, 'kind' | 'name'>;

export interface Draft extends WirelessDraft {
  name: string;
  general: Omit<General, 'ports'>;
  rules: readonly RuleDraft[];
  /** Locked fields: lower layers cannot change them. */
  locks: readonly string[];
}

const noGeneral: Draft['general'] = { leds: null, fast_roaming: null, neighbour_reports: null, minimum_rssi: null };

export const emptyDraft: Draft = {
  name: '',
  ssids: [],
  radios: [],
  country: null,
  general: noGeneral,
  rules: [],
  locks: [],
};

export function draftOf(template: Template): Draft {
  return { ...layerDraftOf(template), name: template.name };
}

export function layerDraftOf(layer: Parameters<typeof wirelessOf>[0] & Pick<Template, 'general' | 'locks'>) {
  const { ports, ...general } = layer.general;
  return { ...wirelessOf(layer), general, rules: rulesOf(ports), locks: layer.locks };
}

/** Omits locks of unset fields. */
export function contentOf(draft: Draft): Content {
  const open = new Set(lockable(draft).map(({ path }) => path));
  const general = { ...draft.general, ports: draft.rules.length > 0 ? draft.rules.map(ruleOf) : null };
  return { ...intentOf(draft), general, locks: draft.locks.filter((path) => open.has(path)) };
}

export function locksAfter({ ssids, locks }: Pick<Draft, 'ssids' | 'locks'>, now: Draft['ssids']): string[] {
  const names = new Map(now.map(({ ref, name }) => [ref, name]));
  const paths = new Map(ssids.map(({ ref, name }) => [`ssids.${name}`, `ssids.${names.get(ref) ?? name}`]));
  return locks.map((path) => paths.get(path) ?? path);
}

export function isChanged(draft: Draft, saved: Draft): boolean {
  return draft.name !== saved.name || JSON.stringify(contentOf(draft)) !== JSON.stringify(contentOf(saved));
}

export interface Lockable {
  path: string;
  /** Label key, with the band for a radio; null for an SSID, shown by name. */
  label: MessageKey | null;
  about: string;
}

export const radioLabels = {
  enabled: 'wireless.radio_on',
  channel: 'wireless.channel',
  width: 'wireless.width',
  power: 'wireless.power',
  mode: 'wireless.mode',
} as const;
export const generalLabels = {
  leds: 'template.leds',
  fast_roaming: 'template.fast_roaming',
  neighbour_reports: 'template.neighbour_reports',
  minimum_rssi: 'template.minimum_rssi',
  ports: 'template.ports',
} as const;

export function lockable({ ssids, radios, country, general, rules }: Omit<Draft, 'name' | 'locks'>): Lockable[] {
  const fields = Object.keys(radioLabels) as (keyof typeof radioLabels)[];
  const generals = Object.keys(generalLabels) as (keyof General)[];
  return [
    ...ssids.filter(({ name }) => name !== '').map(({ name }) => ({ path: `ssids.${name}`, label: null, about: name })),
    ...radios.flatMap((radio) =>
      fields
        .filter((field) => radio[field] !== null)
        .map((field) => ({ path: `radios.${radio.band}.${field}`, label: radioLabels[field], about: radio.band })),
    ),
    ...(country ? [{ path: 'country', label: 'wireless.country' as const, about: '' }] : []),
    ...generals
      .filter((field) => (field === 'ports' ? rules.length > 0 : general[field] !== null))
      .map((field) => ({ path: `general.${field}`, label: generalLabels[field], about: '' })),
  ];
}
