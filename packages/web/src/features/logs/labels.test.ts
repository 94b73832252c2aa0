import { expect, test } from 'vitest';
import { labelsWith, networksIn } from '../../ui/changes/change-labels.ts';
import { objectName } from './labels.ts';

test('the networks that an operation names are found wherever they stand, each once', () => {
  expect(networksIn([{ gwid: 'a', remark: 'x' }, { gwids: ['b', 'a'], inner: { gwid: 'c' } }, null])).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(networksIn([{ gwid: null, gwids: null }, 'gwid'])).toEqual([]);
});

test('serials and MACs stand as on the label, and names as they were given', () => {
  const labels = labelsWith(new Map());
  expect(labels('serial', '02000000ed01')).toBe('02:00:00:00:ed:01');
  expect(labels('serials', ['02000000ed01', '02000000ed02'])).toBe('02:00:00:00:ed:01, 02:00:00:00:ed:02');
  expect(labels('mac', '02:00:00:00:ed:01')).toBe('02:00:00:00:ed:01');
  expect(labels('remark', 'cafebabe0001')).toBe('cafebabe0001');
  const device = { type: 'device', id: '02000000ed01' };
  expect(objectName({ ...device, name: '02000000ed01' })).toBe('02:00:00:00:ed:01');
  expect(objectName({ ...device, name: 'cafebabe0001' })).toBe('cafebabe0001');
});
