import { expect, it } from 'vitest';
import type { Json } from './peer/json.ts';
import { runScript } from './peer/scripts.ts';
import { factoryDocument, intervalOf, sendsRealtime, stockState } from './peer/stock.ts';

const behind = [{ mac: '3c:22:fb:00:00:01', address: '192.168.1.23' }];
const metrics = { statistics: { interval: 60, types: ['ssids', 'clients'] }, realtime: { types: ['client'] } };
const readScript = '#!/bin/sh\nhead -c 1000 /etc/ucentral/ucentral.active\n';
const lan = (config: Json) => (stockState(config, behind, 1_790_000_000).interfaces as Json[])[1];

it('routes, reports every 600 s, and shows neither clients nor events', () => {
  expect(intervalOf(factoryDocument)).toBe(600);
  expect(sendsRealtime(factoryDocument, 'client')).toBe(false);
  expect(lan(factoryDocument)).toMatchObject({ name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'] } });
  expect(lan(factoryDocument)).not.toHaveProperty('clients');
});

it('shows clients and events once its configuration asks for them', () => {
  const config = { ...factoryDocument, metrics };
  expect([intervalOf(config), sendsRealtime(config, 'client')]).toEqual([60, true]);
  expect(lan(config)).toMatchObject({ clients: [{ mac: behind[0]?.mac }], ipv4: { leases: [{}] } });
});

it('runs the state collector and prints its configuration', () => {
  expect(runScript('/usr/share/ucentral/state.uc >/dev/null', {}, {})).toMatchObject({ runs: 'state' });
  const { status } = runScript(readScript, {}, factoryDocument);
  expect(JSON.parse(String(status.result))).toEqual(factoryDocument);
});

it('may hide its files, refuse every script, or run none', () => {
  expect(runScript(readScript, { hidesFiles: true }, {})).toMatchObject({ status: { error: 1 } });
  expect(runScript('state.uc', { shell: 'fails' }, {})).toMatchObject({ status: { error: 127 } });
  expect(runScript('/usr/share/ucentral/state.uc', { shell: 'nothing' }, {})).toEqual({
    status: { error: 0, result: '' },
  });
});
