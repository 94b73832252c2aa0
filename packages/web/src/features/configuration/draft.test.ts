import { expect, test } from 'vitest';
import { type Draft, draftOf, intentOf, isChanged, newSsid, type WirelessSettings } from './draft.ts';

const settings: WirelessSettings = {
  gwid: 'g',
  version: 3,
  ssids: [
    {
      id: 'a',
      enabled: true,
      name: 'Lobby',
      security: 'psk2',
      bands: ['2G'],
      vlan: null,
      hidden: false,
      isolate: false,
      maximum_clients: null,
      down_mbps: null,
      up_mbps: null,
      key_set: true,
    },
  ],
  radios: [],
  country: null,
  defaults: [],
  templates: { country: null, ssids: [] },
  password_rules: [],
  updated_at: null,
  updated_by: null,
};

test('opening the settings changes nothing', () => {
  expect(isChanged(draftOf(settings), settings)).toBe(false);
});

test('a password that was not typed is not sent', () => {
  expect(intentOf(draftOf(settings)).ssids[0]).not.toHaveProperty('key');
});

test('a typed password is a change', () => {
  const draft: Draft = {
    ...draftOf(settings),
    ssids: [{ ...settings.ssids[0], ref: 'a', key: 'welcome-2027' } as Draft['ssids'][number]],
  };
  expect(isChanged(draft, settings)).toBe(true);
  expect(intentOf(draft).ssids[0]).toMatchObject({ id: 'a', key: 'welcome-2027' });
});

test('a band where everything is inherited is not sent', () => {
  const draft: Draft = {
    ...draftOf(settings),
    radios: [{ band: '5G', enabled: null, channel: null, width: null, mode: null, power: null }],
  };
  expect(intentOf(draft).radios).toEqual([]);
  expect(isChanged(draft, settings)).toBe(false);
});

test('a new SSID has no id of its own making', () => {
  expect(intentOf({ ssids: [newSsid()], radios: [], country: null }).ssids[0]).not.toHaveProperty('id');
});
