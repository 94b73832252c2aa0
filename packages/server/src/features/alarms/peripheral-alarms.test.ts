import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  back,
  call,
  clock,
  type Detail,
  devices,
  gwid,
  list,
  lose,
  owner,
  pass,
  query,
  start,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterAll(stopFixture);

async function probed() {
  await start();
  const [gateway] = await devices('gateway', 1);
  const capabilities = { yunxun: { abilities: { watch: true } } };
  await query('update device set capabilities = $2 where serial = $1', [gateway, JSON.stringify(capabilities)]);
  const add = async (name: string, ip: string) => {
    const given = { gwid, name, type: 'camera', ip, mode: 'icmp', detect_port: null, web_port: null, shell_port: null };
    return (await call<{ id: string }>('peripheral/create', given)).id;
  };
  const ids = [await add('Door', '192.168.1.64'), await add('Yard', '192.168.1.65')] as const;
  const lost = (id: string) =>
    query('insert into peripheral_outage values ($1, $2, $3, null)', [owner.accountId, id, clock.now()]);
  const found = (id: string) =>
    query('update peripheral_outage set ended_at = $2 where peripheral_id = $1', [id, clock.now()]);
  await pass(10);
  return { gateway: gateway!, ids, lost, found };
}

it('an outage of a peripheral device is an alarm after ten minutes, and recovers', async () => {
  const { gateway, ids, lost, found } = await probed();
  await lost(ids[0]);
  await pass(9);
  expect(await list()).toEqual([]);
  await pass(2);
  expect(await list()).toMatchObject([{ kind: 'peripheral_offline', serial: gateway, part: 'Door', level: 'GENERAL' }]);
  await found(ids[0]);
  await pass(1);
  expect(await list()).toEqual([]);
  expect(await list({ state: 'all' })).toMatchObject([{ kind: 'peripheral_offline', state: 'recovered' }]);
});

it('an outage of the gateway hides those of the devices behind it', async () => {
  const { gateway, ids, lost } = await probed();
  await lost(ids[0]);
  await pass(11);
  await lost(ids[1]);
  await pass(2);
  await lose([gateway]);
  await pass(15);
  const open = (await list()).map(({ kind, part }) => `${kind} ${part}`).toSorted();
  expect(open).toEqual(['gateway_offline ', 'peripheral_offline Door']);
  await back([gateway]);
  await pass(1);
  // each has its own tolerance after the gateway's return
  expect((await list()).map(({ part }) => part)).toEqual(['Door']);
  await pass(10);
  expect((await list()).map(({ part }) => part).toSorted()).toEqual(['Door', 'Yard']);
});

it('a peripheral device behind a switch that is lost is no alarm of its own', async () => {
  const { gateway, ids, lost, found } = await probed();
  const [sw] = await devices('switch', 1);
  const links = (ports: object[], macs: object) => JSON.stringify({ lldp: [], ports, macs, own: [] });
  const report = (serial: string, text: string) =>
    query('update device_latest set links = $2, links_at = $3 where serial = $1', [serial, text, clock.now()]);
  const mac = '001b21000064';
  await query('update peripheral set mac = $2 where id = $1', [ids[0], mac]);
  await report(sw!, links([{ name: 'up', up: true, carrier: true, speed: 1000 }], { lan3: [mac] }));
  await report(gateway, links([], { lan1: [sw!, mac] }));
  await lose([sw!]);
  await lost(ids[0]);
  await lost(ids[1]);
  await pass(12);
  const open = (await list()).map(({ kind, part }) => `${kind} ${part}`).toSorted();
  expect(open).toEqual(['peripheral_offline Yard', 'switch_offline ']);
  const [alarm] = await list({ kind: 'switch_offline' });
  const { children } = await call<Detail>('alarm/detail', { id: alarm!.id });
  expect(children).toMatchObject([{ kind: 'peripheral_offline', part: 'Door' }]);
  await back([sw!]);
  await found(ids[0]);
  await pass(1);
  expect((await list()).map(({ part }) => part)).toEqual(['Yard']);
});
