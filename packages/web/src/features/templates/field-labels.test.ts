import { beforeAll, expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { fleet } from '../../messages/en/fleet.ts';
import { templates } from '../../messages/en/templates.ts';
import { wireless } from '../../messages/en/wireless.ts';
import { messages } from '../../messages/en.ts';
import { inWords } from './field-labels.ts';

beforeAll(() => install('en', { ...messages, ...fleet, ...templates, ...wireless }));

const textOf = (path: string, before: unknown, after: unknown) => {
  const labels = inWords({ path, before, after } as Parameters<typeof inWords>[0]);
  return labels && [labels.path, labels.before, labels.after];
};

it('calls what differs between two versions as the editor does', () => {
  expect(textOf('/ssids/Office/security', 'psk2', 'sae')).toEqual([
    'SSID Office: Security',
    'WPA2 personal',
    'WPA3 personal',
  ]);
  expect(textOf('/ssids/A~1B/bands', ['2G'], ['2G', '5G'])).toEqual(['SSID A/B: Band', '2.4 GHz', '2.4 GHz, 5 GHz']);
  expect(textOf('/ssids/Office/hidden', null, true)).toEqual(['SSID Office: Hide SSID', '', 'On']);
  expect(textOf('/ssids/Office/key', '••••••••', '••••••••')).toEqual([
    'SSID Office: Wi-Fi password',
    '••••••••',
    '••••••••',
  ]);
  expect(textOf('/radios/5G/width', 40, 80)).toEqual(['5 GHz Width', '40 MHz', '80 MHz']);
  expect(textOf('/radios/2G/channel', 6, 'auto')).toEqual(['2.4 GHz Channel', '6', 'Automatic']);
  expect(textOf('/radios/6G/mode', 'HE', 'EHT')).toEqual(['6 GHz Mode', 'Wi-Fi 6', 'Wi-Fi 7']);
  expect(textOf('/general/minimum_rssi', -75, 0)).toEqual(['Minimum signal strength', '-75 dBm', 'No minimum']);
  expect(textOf('/general/ports/1/ports', '1-4', '1-8')).toEqual(['Switch ports, rule 2: Ports', '1-4', '1-8']);
  expect(textOf('/general/ports/0/tagged', [20, 30], [])).toEqual([
    'Switch ports, rule 1: Tagged VLANs',
    '20, 30',
    'Access: no tagged VLANs',
  ]);
  expect(textOf('/locks/general.ports', null, true)).toEqual(['Lock of Switch ports', '', 'Locked']);
  expect(textOf('/country', 'CN', null)).toEqual(['Country code', 'CN', '']);
  expect(textOf('/locks/radios.5G.power', null, true)).toEqual(['Lock of 5 GHz Transmit power', '', 'Locked']);
  expect(textOf('/locks/ssids.Guests.1', true, null)).toEqual(['Lock of Guests.1', 'Locked', '']);
});

it('says nothing twice, and never hides a field that it does not know', () => {
  expect(textOf('/radios/5G/band', null, '5G')).toBeNull();
  expect(textOf('/ssids/Office/constructor', null, 1)).toEqual(['/ssids/Office/constructor', '', '1']);
  expect(textOf('/else', null, 'x')).toEqual(['/else', '', 'x']);
});
