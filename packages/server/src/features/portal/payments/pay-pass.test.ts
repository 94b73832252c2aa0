import { createHmac, randomBytes } from 'node:crypto';
import { captiveText, type EdgeCaptive } from '@yunxun/contract/device';
import { probeUnder } from '@yunxun/contract/probe-hosts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { Json } from '../../../../test/conformance/peer/json.ts';
import { portalDraft, portalLimits } from '../../../../test/portal-draft.ts';
import type { Registered } from '../../../../test/server.ts';
import { paymentKinds } from '../../billing/providers/index.ts';
import { type ProviderStand, startProviderStand } from '../../billing/testing/provider-stand.ts';
import { call, ended, fixture, running, startFixture, stopFixture } from '../../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../../configuration/testing/gateway.ts';
import { administrator } from '../../installation/testing/administrator.ts';
import { nextOf, openPage, submit } from '../testing/guest.ts';
import { sellPackage } from '../testing/shop.ts';
import { payHostsOf } from '../whitelist.ts';

const abilities = {
  captive: true,
  nftset: true,
  captiveRates: false,
  captiveAway: true,
  captiveRanges: true,
  connect: true,
};
const hosts = Object.values(paymentKinds)
  .flatMap((kind) => kind.hosts.map(({ host }) => host))
  .toSorted();
const draft = (whitelist: object[]) =>
  portalDraft({ methods: [{ kind: 'purchase', ...portalLimits, minutes: 30 }], whitelist });

let stand: ProviderStand;
let admin: Registered;
let template: string;
let serial: string;
let gateway: AccessPoint;
let packageId: string;

beforeAll(async () => {
  await startFixture();
  stand = await startProviderStand();
  admin = await administrator(fixture.server);
  await pay(stand.settings.alipay);
  const made = await call<{ id: string }>('/api/v3/auth_template/create', { name: 'Shop', ...draft([]) });
  template = made.data.id;
  await call('/api/v3/auth_template/publish', { id: template, revision: 1 });
  packageId = await sellPackage(fixture.server, fixture.owner);
});
afterAll(async () => {
  await stopFixture();
  await stand.stop();
});

const pay = (input: object) => fixture.server.call('/api/v3/install/payment/save', input, admin);

async function capturing(able: Record<string, boolean>) {
  const { gwid, identity } = await gatewayNetwork();
  const box = await connectGateway(identity, undefined, {}, able);
  const made = { gwid, version: 0, settings: settings() };
  await ended(await call<{ job_id: string }>('/api/v3/network/gateway/save', made), 'applied');
  const captive = { lans: ['LAN'], exempt_macs: [], exempt_addresses: [] };
  const site = { gwid, enabled: true, template_id: template, gateway: 'edge', captive };
  await ended(await call<{ job_id: string }>('/api/v3/portal/site/save', site), 'applied');
  return { serial: identity.serial, gateway: box };
}

const section = (of: AccessPoint) =>
  (JSON.parse(running(of)) as { 'third-party': { yunxun: { captive: EdgeCaptive } } })['third-party'].yunxun.captive;

let macs = 0;
function newMac(): string {
  macs += 1;
  return `02:00:00:00:88:${String(macs).padStart(2, '0')}`;
}

function arrive(mac: string) {
  const { page, secret } = section(gateway);
  const query = { mac, ip: '10.1.0.101', url: '', nonce: randomBytes(16).toString('base64url') };
  const sig = createHmac('sha256', secret).update(captiveText(query)).digest('base64url');
  const origin = `http://127.0.0.1:${fixture.server.program.portalPort}`;
  return openPage(`${origin}${new URL(page).pathname}?${new URLSearchParams({ ...query, sig })}`);
}

const answered = new Set<unknown>();
function passes(): Json[] {
  return gateway.received.flatMap(({ command }) => {
    const params = command?.params as Json | undefined;
    if (params?.op !== 'pass') return [];
    if (!answered.has(command!.id)) {
      answered.add(command!.id);
      const result = { serial, status: { error: 0, text: '' } };
      gateway.sendJson({ jsonrpc: '2.0', id: command!.id, result });
    }
    return [params];
  });
}
async function order(page: Awaited<ReturnType<typeof arrive>>, method: string): Promise<string> {
  let next: string | null = null;
  const sent = submit(page, 'purchase', { package: packageId, pay: method, step: 'buy' }).then((shown) => {
    next = nextOf(shown);
  });
  await expect.poll(() => passes() && next).not.toBeNull();
  await sent;
  return next!;
}

it('keeps the hosts of all providers on the gateway, without any by which phones find the page', async () => {
  ({ serial, gateway } = await capturing({ ...abilities, captivePay: true }));
  expect(section(gateway).pay).toEqual(hosts);
  const { gateway: older } = await capturing(abilities);
  expect(section(older)).not.toHaveProperty('pay');
  const all = [...hosts, 'captive.apple.com', 'gstatic.com'];
  expect(payHostsOf(all, 'https://console.example.org/')).toEqual([...hosts, 'console.example.org'].toSorted());
  expect(hosts.filter((host) => probeUnder(host) !== null)).toEqual([]);
});

it('opens them for a device with an open order, once an order and five times a day', async () => {
  const mac = newMac();
  await order(await arrive(mac), 'alipay');
  expect(passes()).toMatchObject([{ tool: 'captive', op: 'pass', mac, seconds: 600 }]);
  for (let at = 0; at < 5; at++) await order(await arrive(mac), 'alipay');
  expect(passes().map((params) => params.mac)).toEqual(Array.from({ length: 5 }, () => mac));
  const other = newMac();
  const page = await arrive(other);
  for (let at = 0; at < 2; at++) await order(page, 'alipay');
  const { rows } = await fixture.server.db.database.systemPool.query(
    'select count(*)::int as passes from portal_pay_pass where account_id = $1 group by device_key order by 1',
    [fixture.owner.accountId],
  );
  expect(rows).toEqual([{ passes: 1 }, { passes: 5 }]);
});

it('opens nothing for the sandbox, whose page is the portal’s own', async () => {
  const before = passes().length;
  const to = await order(await arrive(newMac()), 'sandbox');
  expect(new URL(to).pathname).toContain('/pay/sandbox/');
  expect(passes()).toHaveLength(before);
});

it('opens them to all on gateways that cannot tell devices apart, if the operator says so', async () => {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hall' });
  const site = { gwid: data.gwid, enabled: true, template_id: template, gateway: 'opennds_3' };
  const saved = await call<{ secrets: { settings: string } }>('/api/v3/portal/site/save', site);
  const garden = (text: string) => [...text.matchAll(/walledgarden_fqdn_list='([^']*)'/g)].map(([, host]) => host);
  expect(garden(saved.data.secrets.settings)).toEqual([]);
  await call('/api/v3/portal/site/save', { gwid: data.gwid, pay_hosts: true });
  const found = await call<{ site: object }>('/api/v3/portal/site', { gwid: data.gwid });
  expect(found.data.site).toMatchObject({ pay_hosts: true, settings_changed: true });
  const shown = await call<{ settings: string }>('/api/v3/portal/settings/reveal', { gwid: data.gwid });
  expect(garden(shown.data.settings).toSorted()).toEqual(hosts);
});

it('says what payments lack', async () => {
  const check = async (of: string) => {
    const { data } = await call<{ checks: { step: string }[] }>('/api/v3/portal/check', { gwid: of });
    return data.checks.find(({ step }) => step === 'payment');
  };
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Yard' });
  await call('/api/v3/portal/site/save', {
    gwid: data.gwid,
    enabled: true,
    template_id: template,
    gateway: 'opennds_1',
  });
  expect(await check(data.gwid)).toMatchObject({ state: 'wrong', finding: 'pay_closed', name: 'openapi.alipay.com' });
  await call('/api/v3/portal/site/save', { gwid: data.gwid, pay_hosts: true });
  expect(await check(data.gwid)).toMatchObject({ state: 'ok', finding: 'fine' });
  await pay({ ...stand.settings.wechat, h5: true });
  expect(await check(data.gwid)).toMatchObject({ state: 'wrong', finding: 'pay_no_name', name: 'http://localhost' });
});

it('refuses probes, and what they are under, in the whitelist', async () => {
  for (const [link, probe] of [
    ['http://captive.apple.com/hotspot-detect.html', 'captive.apple.com'],
    ['https://connectivitycheck.gstatic.com', 'connectivitycheck.gstatic.com'],
    ['https://gstatic.com/x', 'connectivitycheck.gstatic.com'],
    ['http://www.msftconnecttest.com/connecttest.txt', 'www.msftconnecttest.com'],
  ]) {
    const made = await call('/api/v3/auth_template/create', { name: 'Probes', ...draft([{ name: 'Probe', link }]) });
    expect(made).toMatchObject({ code: 422, errors: { 'whitelist.0.link': [expect.stringContaining(probe!)] } });
  }
});
