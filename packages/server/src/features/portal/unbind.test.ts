import { afterAll, beforeAll, expect, it } from 'vitest';
import { portalDraft } from '../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { newClient, openPage, plainFas } from './testing/guest.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.stop());

const call = async <T>(path: string, input: object): Promise<T> => {
  const { code, data, message } = await server.call<T>(`/api/v3/${path}`, input, owner);
  if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
  return data;
};
const sold = (name: string, gwids: string[] | null) =>
  call('billing/package/create', {
    name,
    price: '5.00',
    minutes: 60,
    bytes: 0,
    devices: 1,
    up_kbps: 0,
    down_kbps: 0,
    valid_days: 30,
    gwids,
    enabled: true,
  });

it('takes the assignment, the own page, the packages and the coupons of an unbound network along', async () => {
  const network = (remark: string) => call<{ gwid: string }>('network/create', { remark });
  const [{ gwid }, other] = [await network('Lobby'), await network('Cafe')];
  const { id } = await call<{ id: string }>('auth_template/create', { name: 'Shops', ...portalDraft() });
  await call('auth_template/publish', { id, revision: 1 });
  await call('portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_1' });
  await call('auth_template/site/save', { gwid, id, revision: 0, page: portalDraft().page });
  const { site } = await call<{ site: { url: string } }>('portal/site', { gwid });
  const arrive = () =>
    openPage(`http://127.0.0.1:${server.program.portalPort}${new URL(site.url).pathname}fas?${plainFas(newClient())}`);
  expect((await arrive()).html).toContain('Welcome');
  await sold('OnlyHere', [gwid]);
  await sold('Both', [gwid, other.gwid]);
  await sold('Everywhere', null);
  const coupon = (code: string, gwids: string[] | null) =>
    call('billing/coupon/create', {
      name: code,
      code,
      kind: 'share',
      amount: '0',
      percent: 10,
      min_price: '0',
      per_person: 0,
      max_uses: 0,
      gwids,
      valid_days: 1,
    });
  await coupon('ONLYHERE', [gwid]);
  await coupon('BOTH', [gwid, other.gwid]);
  await coupon('ALL1', null);

  const { removed } = await call<{ removed: { part: string; count: number }[] }>('network/unbind', { gwid });
  expect(removed).toContainEqual({ part: 'value_added', count: 6 });

  expect((await arrive()).html).not.toContain('Welcome');
  const packages = await call<{ list: { name: string; gwids: string[] | null }[] }>('billing/package/list', {});
  const named = ({ list }: typeof packages) => list.map(({ name, gwids }) => [name, gwids]).sort();
  expect(named(packages)).toEqual([
    ['Both', [other.gwid]],
    ['Everywhere', null],
  ]);
  const coupons = await call<typeof packages>('billing/coupon/list', {});
  expect(named(coupons)).toEqual([
    ['ALL1', null],
    ['BOTH', [other.gwid]],
  ]);
  await call('auth_template/delete', { id });
});
