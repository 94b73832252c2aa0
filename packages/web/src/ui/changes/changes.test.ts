import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

test('only what differs is listed, nested fields by their path', () => {
  expect(
    changesOf({ remark: 'A', wan: { ip: '1.1.1.1', on: true } }, { remark: 'B', wan: { ip: '1.1.1.1', on: false } }),
  ).toEqual([
    { field: ['remark'], before: 'A', after: 'B' },
    { field: ['wan', 'on'], before: 'true', after: 'false' },
  ]);
});

test('something made or removed has a dash on the other side', () => {
  expect(changesOf(null, { remark: 'A', tags: ['x'] })).toEqual([
    { field: ['remark'], before: '—', after: 'A' },
    { field: ['tags'], before: '—', after: 'x' },
  ]);
});

test('list items are identified by their names, without internal ids', () => {
  const lobby = { id: '1', name: 'Lobby', vlan: null, bands: ['2G'] };
  const staff = { id: '2', name: 'Staff', vlan: 10, bands: ['2G', '5G'] };
  expect(
    changesOf(
      { ssids: [lobby, staff] },
      {
        ssids: [
          { ...staff, bands: ['5G'] },
          { ...lobby, vlan: 20 },
        ],
      },
    ),
  ).toEqual([
    { field: ['ssids', 'Staff', 'bands'], before: '2G, 5G', after: '5G' },
    { field: ['ssids', 'Lobby', 'vlan'], before: '—', after: '20' },
  ]);
  const none = { version: 1, ssids: [] };
  expect(changesOf(none, { version: 2, ssids: [{ id: '3', name: 'New' }], keys_changed: [] })).toEqual([
    { field: ['ssids', 'New', 'name'], before: '—', after: 'New' },
  ]);
});

test('unnamed items are identified by their subject, whatever its characters', () => {
  const forward = { note: 'Door', protocol: 'tcp', port: '8080', address: '10.0.0.2', to_port: null };
  const route = { to: '10.9.0.0/16', via: '10.0.0.3' };
  const lan = { name: '1.OG', vlan: null, leases: [{ mac: '02:00:00:00:00:01', address: '10.0.0.2', note: '' }] };
  expect(
    changesOf(
      { forwards: [{ ...forward, port: '80' }, forward], routes: [route], networks: [lan] },
      {
        forwards: [{ ...forward, address: '10.0.0.4' }],
        routes: [{ ...route, via: '10.0.0.9' }],
        networks: [{ ...lan, leases: [{ ...lan.leases[0], address: '10.0.0.4' }] }],
      },
    ).filter(({ field }) => field[1] !== 'tcp 80'),
  ).toEqual([
    { field: ['forwards', 'tcp 8080', 'address'], before: '10.0.0.2', after: '10.0.0.4' },
    { field: ['routes', '10.9.0.0/16', 'via'], before: '10.0.0.3', after: '10.0.0.9' },
    {
      field: ['networks', '1.OG', 'leases', '02:00:00:00:00:01', 'address'],
      before: '10.0.0.2',
      after: '10.0.0.4',
    },
  ]);
});

test('a renamed item is one line, and its other changes are under the new name', () => {
  const line = { name: 'Fibre', port: 'WAN1', addressing: 'dynamic', dns: ['192.0.2.1'] };
  const lan = { name: 'Guest', address: '10.8.0.1/24', pool: { count: 20 }, leases: [] };
  const door = { note: '', protocol: 'tcp', port: '8080', address: '10.0.0.2', to_port: '80' };
  const before = {
    lines: [line, { ...line, name: 'LTE', port: 'WAN2' }],
    line_order: ['Fibre', 'LTE'],
    networks: [lan],
  };
  const only = { ...before, lines: [{ ...line, name: 'Glass' }, before.lines[1]], line_order: ['Glass', 'LTE'] };
  expect(changesOf(before, only)).toEqual([{ field: ['lines', 'Glass', 'name'], before: 'Fibre', after: 'Glass' }]);
  const after = {
    lines: [{ ...line, name: 'Glass', dns: ['192.0.2.2'] }, before.lines[1]],
    line_order: ['Glass', 'LTE'],
    networks: [{ ...lan, name: 'Visitors', pool: { count: 30 } }],
  };
  expect(changesOf(before, after)).toEqual([
    { field: ['lines', 'Glass', 'name'], before: 'Fibre', after: 'Glass' },
    { field: ['lines', 'Glass', 'dns'], before: '192.0.2.1', after: '192.0.2.2' },
    { field: ['networks', 'Visitors', 'name'], before: 'Guest', after: 'Visitors' },
    { field: ['networks', 'Visitors', 'pool', 'count'], before: '20', after: '30' },
  ]);
  expect(changesOf({ forwards: [door] }, { forwards: [{ ...door, port: '8090' }] })).toEqual([
    { field: ['forwards', 'tcp 8090', 'port'], before: '8080', after: '8090' },
  ]);
  expect(changesOf({ ssids: [{ id: '1', name: 'A' }] }, { ssids: [{ id: '1', name: 'B' }] })).toEqual([
    { field: ['ssids', 'B', 'name'], before: 'A', after: 'B' },
  ]);
});

test('one thing taken away and another made are no other name, and places that change are said with the names of now', () => {
  const [fibre, lte] = [
    { name: 'Fibre', port: 'WAN1', addressing: 'dynamic' },
    { name: 'LTE', port: 'WAN2', addressing: 'dynamic' },
  ];
  expect(changesOf({ lines: [fibre] }, { lines: [lte] }).map(({ field, after }) => [field[1], after])).toEqual([
    ['Fibre', '—'],
    ['Fibre', '—'],
    ['Fibre', '—'],
    ['LTE', 'LTE'],
    ['LTE', 'WAN2'],
    ['LTE', 'dynamic'],
  ]);
  const swapped = { lines: [lte, { ...fibre, name: 'Glass' }], line_order: ['LTE', 'Glass'] };
  expect(changesOf({ lines: [fibre, lte], line_order: ['Fibre', 'LTE'] }, swapped)).toEqual([
    { field: ['lines', 'Glass', 'name'], before: 'Fibre', after: 'Glass' },
    { field: ['line_order'], before: 'Fibre, LTE', after: 'LTE, Glass' },
  ]);
});
