import type { Data, Input } from '../../app/api.ts';

export type WirelessSettings = Data<'/api/v3/network/wireless/get'>;
export type Ssid = WirelessSettings['ssids'][number];
export type Radio = WirelessSettings['radios'][number];
export type PasswordRule = WirelessSettings['password_rules'][number];
export type Band = Radio['band'];
type Intent = Pick<Input<'/api/v3/network/wireless/save'>, 'ssids' | 'radios' | 'country'>;

/** An SSID while it is edited: a new one has no `id` yet, and `key` holds a password only when it was typed. */
export type SsidDraft = Omit<Ssid, 'id'> & { id?: string; key?: string; ref: string };

/** What a person has changed and not pushed. */
export interface Draft {
  ssids: readonly SsidDraft[];
  radios: readonly Radio[];
  country: string | null;
}

export const bands = ['2G', '5G', '6G'] as const satisfies readonly Band[];
export const securities = ['psk2', 'sae-mixed', 'sae', 'owe', 'open'] as const satisfies readonly Ssid['security'][];
/** Securities that have a password. */
export const keyed: readonly Ssid['security'][] = ['psk2', 'sae-mixed', 'sae'];
/** Securities that 6 GHz takes. */
export const on6g: readonly Ssid['security'][] = ['owe', 'sae-mixed', 'sae'];

/** The settings in force as a draft. */
export function draftOf(settings: Pick<WirelessSettings, keyof Draft>): Draft {
  return {
    ssids: settings.ssids.map((ssid) => ({ ...ssid, ref: ssid.id })),
    radios: settings.radios,
    country: settings.country,
  };
}

let made = 0;

/** A new SSID with the settings that most want. */
export function newSsid(): SsidDraft {
  return {
    // not crypto.randomUUID, which a console on plain http does not have
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

/** A draft as the server takes it; a password that was not typed stays what it is. */
export function intentOf(draft: Draft): Intent {
  return {
    ssids: draft.ssids.map(({ ref: _ref, key_set: _set, key, ...ssid }) => (key ? { ...ssid, key } : ssid)),
    radios: draft.radios.filter((radio) =>
      [radio.enabled, radio.channel, radio.width, radio.mode, radio.power].some((value) => value !== null),
    ),
    country: draft.country,
  };
}

/** Whether anything would be saved. */
export function isChanged(draft: Draft, settings: Pick<WirelessSettings, keyof Draft>): boolean {
  return JSON.stringify(intentOf(draft)) !== JSON.stringify(intentOf(draftOf(settings)));
}

/** The radio settings of a band; where nothing is set, everything is inherited. */
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

/** Channels that a person may choose, per band; which of them a device has, its preview says. */
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
