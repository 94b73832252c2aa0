import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrol } from '../../../test/conformance/device-client.ts';
import { asOwner } from '../../../test/database.ts';
import {
  call,
  ended,
  fixture,
  items,
  network,
  online,
  save,
  ssid,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from './testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

interface Previewed {
  devices: { effect: string; findings: { code: string; severity: string; params: object }[] }[];
  totals: { wrong: number };
}
const preview = async (gwid: string, wanted: object) =>
  (await call<Previewed>('/api/v3/network/gateway/preview', { gwid, settings: wanted })).data;
const finding = (one: object) => expect.arrayContaining([expect.objectContaining(one)]) as unknown;
const saveGateway = (gwid: string, version: number, wanted: object) =>
  call<{ job_id: string; unconfirmed: string[] }>('/api/v3/network/gateway/save', { gwid, version, settings: wanted });

describe('port 53 of a gateway', () => {
  const dnsmasq = { protocol: 'udp', address: '0.0.0.0', process: 'dnsmasq', service: 'dnsmasq.service' };

  async function gatewayWith(listener: object) {
    const { gwid, identity } = await gatewayNetwork();
    const gateway = await connectGateway(identity, undefined, {}, { port53: true });
    const found = async () => {
      // an agent reports again and again: a later report of the session may have taken the place of this one
      gateway.state({ unit: { uptime: 5 }, interfaces: [], yunxun: { port53: [listener] } });
      return (await preview(gwid, settings())).devices[0]?.findings.map(({ code }) => code);
    };
    await expect.poll(found).toContainEqual(expect.stringMatching(/^port53/));
    return { gwid, gateway };
  }

  it('that another service has is named by the preview, and taken with consent only', async () => {
    const { gwid, gateway } = await gatewayWith(dnsmasq);
    const about = { process: 'dnsmasq.service', address: '0.0.0.0', port: 53 };
    expect(await preview(gwid, settings())).toMatchObject({
      devices: [{ effect: 'wrong', findings: finding({ code: 'port53_in_use', severity: 'wrong', params: about }) }],
    });
    expect((await saveGateway(gwid, 0, settings())).code).not.toBe(2000);
    const consent = settings({ take_port53: true });
    expect(await preview(gwid, consent)).toMatchObject({
      devices: [
        { effect: 'changed', findings: finding({ code: 'port53_taken', severity: 'adjusted', params: about }) },
      ],
    });
    await ended(await saveGateway(gwid, 0, consent), 'applied');
    expect(gateway.running).toMatchObject({ 'third-party': { yunxun: { take_port53: true } } });
  });

  it('that another service took since the last report fails the save in the words of the catalogue, until it ends', async () => {
    const { gwid, identity } = await gatewayNetwork();
    const gateway = await connectGateway(identity, undefined, {}, { port53: true });
    gateway.options.render = () => ({ error: 2, rejected: ['[E] (In /) dnsmasq listens'], port53: 'in_use' });
    const first = await saveGateway(gwid, 0, settings());
    await ended(first, 'failed');
    expect(await items(first.data.job_id)).toMatchObject([{ reason: 'job.port53_in_use' }]);
    gateway.options.render = () => ({ error: 0, rejected: [] });
    await ended(await saveGateway(gwid, 1, settings()), 'applied');
  });

  it('that a process without a service has is left to a person', async () => {
    const { gwid } = await gatewayWith({ ...dnsmasq, process: 'named', service: null });
    expect(await preview(gwid, settings({ take_port53: true }))).toMatchObject({
      devices: [{ findings: finding({ code: 'port53_no_service', severity: 'wrong' }) }],
    });
  });
});

it('does not call a push done whose LAN the gateway withholds', async () => {
  const { gwid, identity } = await gatewayNetwork();
  const gateway = await connectGateway(identity);
  gateway.options.render = () => ({ error: 1, rejected: ['[W] (In /) down1v0 has no address'], withheld: ['down1v0'] });
  const saved = await saveGateway(gwid, 0, settings());
  await ended(saved, 'failed');
  expect(await items(saved.data.job_id)).toMatchObject([{ reason: 'job.lan_withheld' }]);
});

it('says at once that a device waits for a confirmation', async () => {
  const { gwid, identity } = await gatewayNetwork();
  await connectGateway(identity);
  await asOwner(fixture.server.db.owner, (client) =>
    client.query('update device set confirmed = false where serial = $1', [identity.serial]),
  );
  expect(await preview(gwid, settings())).toMatchObject({ devices: [{ effect: 'unconfirmed' }] });
  const saved = await saveGateway(gwid, 0, settings());
  expect(saved.data.unconfirmed).toEqual([identity.serial]);
  await ended(saved, 'waiting_offline');
  await call('/api/v3/device/confirm', { serials: [identity.serial] });
  await ended(saved, 'applied');
});

it('says before a push that it closes SSH on an access point, and says it once', async () => {
  const { gwid, identity } = await network();
  await online(identity);
  const codes = async (name: string) => {
    const { data } = await call<Previewed>('/api/v3/network/wireless/preview', {
      gwid,
      ssids: [ssid(name)],
      radios: [],
    });
    return data.devices.flatMap(({ findings }) => findings.map(({ code }) => code));
  };
  await expect.poll(() => codes('Lobby')).toContain('ssh_closed');
  await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied');
  expect(await codes('Garden')).not.toContain('ssh_closed');
});

it('gives each network that a gateway starts a name of its own', async () => {
  const serial = '9cfe00ab12cd';
  for (const remark of ['box', 'Box-12cd']) await call('/api/v3/network/create', { remark });
  const identity = await enrol(fixture.server, fixture.owner, { serial, platform: 'olg', model: 'Box' });
  await connectGateway(identity);
  const { data } = await call<{ list: { remark: string }[] }>('/api/v3/network/list', { limit: 50 });
  expect(data.list.map(({ remark }) => remark)).toContain('Box-12cd-2');
});
