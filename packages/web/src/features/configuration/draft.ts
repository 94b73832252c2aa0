import type { Data, Input } from '../../app/api.ts';

export type WirelessSettings = Data<'/api/v3/network/wireless/get'>;
export type Ssid = WirelessSettings['ssids'][number];
export type Radio = WirelessSettings['radios'][number];
export type PasswordRule = WirelessSettings['password_rules'][number];
export type Band = Radio['band'];
type Intent = Pick<Input<'/api/v3/network/wireless/save'>, 'ssids' | 'radios' | 'country'>;

export interface ServerDraft {
  host: string;
  port: string;
  secret?: string;
  secret_set: boolean;
}
export interface RadiusDraft {
  auth: ServerDraft;
  acct: ServerDraft | null;
}

export interface KeyDraft {
  id?: string;
  ref: string;
  label: string;
  key?: string;
  key_set: boolean;
  mac: string;
  vlan: string;
}

export type SsidDraft = Omit<Ssid, 'id' | 'radius' | 'keys'> & {
  id?: string;
  key?: string;
  ref: string;
  radius?: RadiusDraft;
  keys?: readonly KeyDraft[];
};

export interface Draft {
  ssids: readonly SsidDraft[];
  radios: readonly Radio[];
  country: string | null;
}

export const bands = ['2G', '5G', '6G'] as const satisfies readonly Band[];
export const securities = [
  'psk2',
  'sae-mixed',
  'sae',
  'wpa2',
  'wpa3-mixed',
  'wpa3',
  'owe',
  'open',
] as const satisfies readonly Ssid['security'][];
export const keyed: readonly Ssid['security'][] = ['psk2', 'sae-mixed', 'sae'];
export const enterprise: readonly Ssid['security'][] = ['wpa2', 'wpa3-mixed', 'wpa3'];
export const multiKey: readonly Ssid['security'][] = ['psk2'];
export const on6g: readonly Ssid['security'][] = ['owe', 'sae-mixed', 'sae', 'wpa3'];

export function draftOf(settings: Pick<WirelessSettings, keyof Draft>): Draft {
  return {
    ssids: settings.ssids.map(draftOfSsid),
    radios: settings.radios,
    country: settings.country,
  };
}

export function draftOfSsid({ radius, keys, ...ssid }: Ssid): SsidDraft {
  type Server = NonNullable<Ssid['radius']>['auth'];
  const server = ({ port, ...one }: Server): ServerDraft => ({ ...one, port: String(port) });
  return {
    ...ssid,
    ref: ssid.id,
    ...(radius && { radius: { auth: server(radius.auth), acct: radius.acct && server(radius.acct) } }),
    ...(keys && {
      keys: keys.map((one) => ({
        ...one,
        ref: one.id,
        mac: one.mac ?? '',
        vlan: one.vlan === null ? '' : String(one.vlan),
      })),
    }),
  };
}

let made = 0;

export function newSsid(): SsidDraft {
  return {
    // crypto.randomUUID does not exist on plain HTTP
    ref: `new ${++made}`,
    enabled: true,
    name: '',
    security: 'psk2',
    bands: ['2G', '5G'],
    vlan: null,
    hidden: false,
    isolate: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
    key_set: false,
  };
}

/** Omits untyped secrets and unused fields. */
export function inputOfSsid({
  ref: _ref,
  key_set: _set,
  key,
  radius,
  keys,
  ...ssid
}: SsidDraft): Intent['ssids'][number] {
  const server = ({ host, port, secret }: ServerDraft) => ({ host, port: Number(port), ...(secret && { secret }) });
  return {
    ...ssid,
    ...(key && { key }),
    ...(radius &&
      enterprise.includes(ssid.security) && {
        radius: { auth: server(radius.auth), acct: radius.acct && server(radius.acct) },
      }),
    ...(keys &&
      multiKey.includes(ssid.security) && {
        keys: keys.map(({ id, label, key: own, mac, vlan }) => ({
          ...(id && { id }),
          ...(own && { key: own }),
          label,
          mac: mac === '' ? null : mac,
          vlan: vlan === '' ? null : Number(vlan),
        })),
      }),
  };
}

export function intentOf(draft: Draft): Intent {
  return {
    ssids: draft.ssids.map(inputOfSsid),
    radios: draft.radios.filter((radio) =>
      [radio.enabled, radio.channel, radio.width, radio.mode, radio.power].some((value) => value !== null),
    ),
    country: draft.country,
  };
}

export function isChanged(draft: Draft, settings: Pick<WirelessSettings, keyof Draft>): boolean {
  return JSON.stringify(intentOf(draft)) !== JSON.stringify(intentOf(draftOf(settings)));
}

/** Returns the band's radio settings; unset fields are inherited. */
export function radioOf(draft: Draft, band: Band): Radio {
  return (
    draft.radios.find((radio) => radio.band === band) ?? {
      band,
      enabled: null,
      channel: null,
      width: null,
      mode: null,
      power: null,
    }
  );
}

export const channels: Readonly<Record<Band, readonly number[]>> = {
  '2G': Array.from({ length: 13 }, (_, index) => index + 1),
  '5G': [
    36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 149, 153, 157, 161, 165,
  ],
  '6G': Array.from({ length: 59 }, (_, index) => 1 + index * 4),
};
export const widths: Readonly<Record<Band, readonly (20 | 40 | 80 | 160 | 320)[]>> = {
  '2G': [20, 40],
  '5G': [20, 40, 80, 160],
  '6G': [20, 40, 80, 160, 320],
};
export const modes: Readonly<Record<Band, readonly ('HT' | 'VHT' | 'HE' | 'EHT')[]>> = {
  '2G': ['HT', 'HE', 'EHT'],
  '5G': ['HT', 'VHT', 'HE', 'EHT'],
  '6G': ['HE', 'EHT'],
};
export const modeNames = { HT: 'Wi-Fi 4', VHT: 'Wi-Fi 5', HE: 'Wi-Fi 6', EHT: 'Wi-Fi 7' } as const;
export const powers = ['max', 'high', 'medium', 'low'] as const;
