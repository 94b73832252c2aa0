import { expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { en } from '../../messages/all.ts';
import { findingText } from './finding.ts';

it('names the SSID or the band that a finding is about', () => {
  install('en', en);
  const left = { severity: 'left_out', code: 'ssid_left_out', field: 'ssids.1', params: { name: 'Lobby' } } as const;
  expect(findingText(left)).toBe('Lobby: This device will not send out this SSID');
  const radio = { severity: 'left_out', code: 'no_radio', field: 'radios.6G', params: { band: '6G' } } as const;
  expect(findingText(radio)).toContain(en['wireless.band_6G']);
});
