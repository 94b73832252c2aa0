import { afterAll, beforeAll, expect, it } from 'vitest';
import { portalDraft } from '../../../test/portal-draft.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { newClient, openPage, plainFas } from '../portal/testing/guest.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let server: TestServer;
let owner: Registered;
let id: string;
let template: string;
let cafe: string;
let bar: string;

const call = async <T = unknown>(path: string, input: object) => {
  const { code, data, message } = await server.call<T>(`/api/v3/${path}`, input, owner);
  if (code !== 2000) throw new Error(`${path}: ${code} ${message}`);
  return data;
};
const picture = async () =>
  (await call<{ id: string }>('auth_template/picture/upload', { slot: 'logo', file: pixel })).id;
const page = (logo: string) => ({
  ...portalDraft().page,
  title: { zh: '{shop_name}', en: 'Welcome to {shop_name}' },
  logo,
  text: { zh: '电话 {shop_phone}', en: 'Call {shop_phone} or {unknown}' },
});

async function network(remark: string): Promise<string> {
  const { gwid } = await call<{ gwid: string }>('network/create', { remark });
  await call('portal/site/save', { gwid, enabled: true, template_id: id, gateway: 'opennds_1' });
  return gwid;
}
async function shown(gwid: string): Promise<string> {
  const { site } = await call<{ site: { url: string } }>('portal/site', { gwid });
  const base = `http://127.0.0.1:${server.program.portalPort}${new URL(site.url).pathname}`;
  return (await openPage(`${base}fas?${plainFas(newClient())}`)).html;
}
const save = (gwid: string, shop: object) => call('auth_template/shop/save', { gwid, phone: '', logo: null, ...shop });

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  template = await picture();
  const draft = { name: 'Shops', ...portalDraft({ page: page(template) }) };
  id = (await call<{ id: string }>('auth_template/create', draft)).id;
  await call('auth_template/publish', { id, revision: 1 });
  cafe = await network('Cafe');
  bar = await network('Bar');
});
afterAll(() => server.stop());

it('names the network until its shop has a name', async () => {
  expect(await shown(cafe)).toContain('<h1>Welcome to Cafe</h1>');
  expect(await shown(bar)).toContain('<h1>Welcome to Bar</h1>');
});

it('serves each shop its own name, phone and nothing else from one template', async () => {
  await save(cafe, { name: 'Café Lin', phone: '010-1234567' });
  const html = await shown(cafe);
  expect(html).toContain('<h1>Welcome to Café Lin</h1>');
  expect(html).toContain('Call 010-1234567 or {unknown}');
  expect(await shown(bar)).toContain('<h1>Welcome to Bar</h1>');
});

it('shows a value as text: no markup, and no variable within it', async () => {
  await save(bar, { name: '<script>alert(1)</script>{shop_phone}', phone: '5 & "6"' });
  const html = await shown(bar);
  expect(html).toContain('<h1>Welcome to &lt;script&gt;alert(1)&lt;/script&gt;{shop_phone}</h1>');
  expect(html).toContain('Call 5 &amp; &quot;6&quot; or');
  expect(html).not.toContain('<script');
});

it('puts the logo of the shop in place of the template’s, and refuses another picture', async () => {
  expect(await shown(cafe)).toContain(`/picture/${template}`);
  const missing = await server.call(
    '/api/v3/auth_template/shop/save',
    { gwid: cafe, name: '', phone: '', logo: id },
    owner,
  );
  expect(missing.code).toBe(422);
  const { rows } = await server.db.database.systemPool.query<{ id: string }>(
    `insert into portal_picture select account_id, gen_random_uuid() as id, slot, mime, width, height, bytes, 'other', token, used_at
     from portal_picture where id = $1 returning id`,
    [template],
  );
  const logo = rows[0]!.id;
  await save(cafe, { name: '', logo });
  expect(await shown(cafe)).toContain(`/picture/${logo}`);
  expect(await shown(bar)).toContain(`/picture/${template}`);
  expect(await call('auth_template/shop/detail', { gwid: cafe })).toMatchObject({
    network: 'Cafe',
    picture: { id: logo },
  });
});
