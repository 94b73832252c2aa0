import { t } from '../../app/i18n.ts';
import type { Search } from '../../app/search.ts';
import { bytes } from '../../ui/format.ts';
import type { Filter } from '../../ui/table/columns.ts';
import type { Tab } from './columns.tsx';

interface Named {
  value: string;
  label: string;
}

export interface Offered {
  /** Networks; null on a network's own page. */
  networks: readonly Named[] | null;
  ssids: readonly string[];
  devices: readonly Named[];
}

const types = ['android', 'ios', 'mac', 'windows', 'unknown'] as const;
const mebibyte = 1024 * 1024;

const filter = (name: string, label: string, options: readonly Named[]): Filter => ({
  name,
  label,
  options,
  strict: true,
});

const ever = (): Filter[] => [
  filter('seen', t('users.last_seen'), [{ value: '30', label: t('users.seen_30') }]),
  filter('known', t('users.first_seen'), [
    { value: 'new', label: t('users.known_new') },
    { value: 'old', label: t('users.known_old') },
  ]),
];

/** Formats of values that cannot be listed; others are invalid. */
const forms = { gwid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, serial: /^[\da-f]{12}$/, ssid: /^.{1,64}$/su };
export const isNetwork = (value: string | undefined) => value !== undefined && forms.gwid.test(value);

/** Returns the filters of a list; only online clients have a place and a signal. MAC lists have none. */
export function userFilters(tab: Tab, search: Search, { networks, ssids: names, devices }: Offered): Filter[] {
  if (tab === 'blocked' || tab === 'allowed') return [];
  const withChosen = (name: keyof typeof forms, options: readonly Named[]): readonly Named[] => {
    const chosen = search[name];
    if (!chosen || !forms[name].test(chosen) || options.some(({ value }) => value === chosen)) return options;
    return [...options, { value: chosen, label: chosen }];
  };
  const isThere: Filter[] = [];
  if (tab === 'online') {
    const aps = withChosen('serial', devices);
    const ssids = withChosen(
      'ssid',
      names.map((value) => ({ value, label: value })),
    );
    if (aps.length > 0 || search.serial) isThere.push(filter('serial', t('users.ap'), aps));
    if (ssids.length > 0 || search.ssid) isThere.push(filter('ssid', t('users.ssid'), ssids));
    isThere.push(
      filter(
        'band',
        t('users.band'),
        ([2, 5, 6, 0] as const).map((value) => ({ value: String(value), label: t(`users.band_${value}`) })),
      ),
      filter(
        'rssi_below',
        t('users.rssi_below'),
        [-60, -67, -70, -75, -80].map((n) => ({ value: String(n), label: t('users.dbm', { n }) })),
      ),
    );
  }
  const flows =
    tab === 'history'
      ? []
      : [
          filter('auth', t('users.signed_in'), [
            { value: 'portal', label: t('users.auth_portal') },
            { value: 'none', label: t('users.auth_none') },
          ]),
          filter(
            'flow_above',
            t('users.flow_above'),
            [10, 100, 1024, 10_240].map((n) => ({ value: String(n), label: bytes(n * mebibyte).replace('.00', '') })),
          ),
        ];
  const places = networks && withChosen('gwid', networks);
  return [
    ...(places && (places.length > 0 || search.gwid) ? [filter('gwid', t('users.network'), places)] : []),
    ...isThere,
    filter(
      'terminal',
      t('users.type'),
      types.map((value) => ({ value, label: t(`users.type_${value}`) })),
    ),
    ...flows,
    ...(tab === 'history' ? ever() : []),
    filter('random', t('users.random'), [
      { value: 'true', label: t('users.random_only') },
      { value: 'false', label: t('users.random_not') },
    ]),
    filter('vip', t('users.vip'), [{ value: 'true', label: t('users.vip_only') }]),
  ];
}
