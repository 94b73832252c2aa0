import { beforeAll, expect, it } from 'vitest';
import { install } from '../app/i18n.ts';
import { en } from '../messages/all.ts';
import { chosenName, networkLabel } from './network-labels.ts';

beforeAll(() => install('en', en));

it('distinguishes networks of one name, and leaves the others alone', () => {
  const list = [
    { gwid: '01a1f97f-0000-7000-8000-00000000a1b2', remark: 'Shop', device_num: 3 },
    { gwid: '01a1f97f-0000-7000-8000-00000000c3d4', remark: 'Shop', device_num: 1 },
    { gwid: '01a1f97f-0000-7000-8000-00000000e5f6', remark: 'Depot', device_num: 1 },
  ];
  expect(list.map((row) => networkLabel(row, list))).toEqual([
    'Shop (3 devices, id …a1b2)',
    'Shop (1 device, id …c3d4)',
    'Depot',
  ]);
});

it('names one chosen network, and counts several', () => {
  expect([chosenName(1, 'Depot'), chosenName(1), chosenName(3, 'Depot')]).toEqual(['Depot', '1 network', '3 networks']);
});
