import { expect, test } from 'vitest';
import { type Hit, markedParts, targetOf } from './hits.ts';

const marked = (text: string, word: string) =>
  markedParts(text, word)
    .filter((part) => part.marked)
    .map((part) => part.text);

test.each([
  ['West-Lake', 'lake', ['Lake']],
  ['西湖店', '湖', ['湖']],
  ['3c:22:fb:00:aa:01', '22FB.00', ['22:fb:00']],
  ['3c:22:fb:00:aa:01', 'fb-00-aa', ['fb:00:aa']],
  ['a.b', '.', ['.']],
  ['(1)', '(1', ['(1']],
  ['Lobby', 'xhd', []],
  ['Lobby', '', []],
])('in %s the word %s marks %j', (text, word, parts) => {
  expect(marked(text, word)).toEqual(parts);
  expect(
    markedParts(text, word)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

const hit = (kind: Hit['kind'], more: Partial<Hit> = {}): Hit => ({
  kind,
  id: 'x',
  title: 'x',
  detail: null,
  type: null,
  gwid: 'g',
  network: null,
  status: null,
  match: 'exact',
  ...more,
});

test.each([
  [hit('network'), '/network/x'],
  [hit('device', { type: 'ap' }), '/network/aps/g'],
  [hit('device', { type: 'switch' }), '/network/g'],
  [hit('device', { gwid: null }), '/waiting_devices'],
  [hit('client'), '/networks/online_users'],
  [hit('ssid'), '/network/g'],
  [hit('ssid', { gwid: null }), '/networks/online_users'],
  [hit('template', { type: 'ac' }), '/config/template_wireless/ac_edit/x'],
  [hit('sdwan'), '/sdwan/show'],
  [hit('person'), '/account'],
  [hit('alarm'), '/alarm'],
  [hit('log'), '/logs/action'],
  [hit('job'), undefined],
])('%# opens its screen', (found, to) => {
  expect(targetOf(found)?.to).toBe(to);
});
