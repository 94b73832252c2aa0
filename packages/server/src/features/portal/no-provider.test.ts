import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { administrator, smtp } from '../installation/testing/administrator.ts';
import { contentWith, freeLimits, memoryTemplates, newClient, openPage, sealedFas, submit } from './testing/guest.ts';
import { portalNetwork } from './testing/portal-network.ts';

const templates = memoryTemplates();
const content = contentWith([
  { kind: 'sms', ...freeLimits },
  { kind: 'sponsor', ...freeLimits, sponsors: ['@corp.example.com'] },
]);
let server: TestServer;
let owner: Registered;

// nothing listens there: sending fails later, which the page does not wait for
beforeAll(async () => {
  server = await startTestServer({ portalTemplates: templates, providerEndpoints: { aliyun: 'http://127.0.0.1:9' } });
  owner = await administrator(server);
});
afterAll(() => server.stop());

const save = async (what: string, input: object) =>
  expect((await server.call(`/api/v3/install/${what}/save`, input, owner)).code).toBe(2000);

it('says on the guest’s pages and in the check that no provider sends codes and requests, until there is one', async () => {
  const { base, secret, gwid } = await portalNetwork(server, owner, templates, { gateway: 'opennds_3', content });
  const arrive = () => openPage(`${base}/fas?${sealedFas(newClient(), secret)}`);
  const code = async (phone: string) => (await submit(await arrive(), 'sms', { phone, step: 'send' })).html;
  const request = async (sponsor: string) =>
    (await submit(await arrive(), 'sponsor', { guest: 'Ann', sponsor, step: 'ask' })).html;
  const finding = async () => {
    const { data } = await server.call<{ checks: object[] }>('/api/v3/portal/check', { gwid }, owner);
    return data.checks;
  };
  const isWrong = (name: string) => expect.objectContaining({ step: 'messages', state: 'wrong', finding: name });

  expect((await arrive()).html).toContain('no code will reach your phone');
  const written = await code('13900000001');
  expect(written).toContain('the code has not reached your phone');
  expect(written).not.toContain('has been sent');
  expect(written).not.toContain('outbox');
  expect(await request('lin@corp.example.com')).toContain('your request was written to outbox.ndjson');
  expect(await finding()).toContainEqual(isWrong('sms_to_file'));

  const aliyun = { provider: 'aliyun', key_id: 'LTAI5tExample', sender: '云巡', app_id: '', region: '', templates: {} };
  await save('sms', { ...aliyun, secret: 'the secret' });
  expect((await arrive()).html).not.toContain('Text messages cannot be sent');
  expect(await code('13900000002')).toContain('The code has been sent.');
  expect(await finding()).toContainEqual(isWrong('mail_to_file'));

  await save('mail', { ...smtp(9), password: 'secret' });
  expect(await request('wang@corp.example.com')).toContain('The message has been sent.');
  expect(await finding()).toContainEqual(expect.objectContaining({ step: 'messages', state: 'ok' }));
});
