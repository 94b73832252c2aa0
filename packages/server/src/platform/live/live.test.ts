import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('sends a delegation for one network only the events of that network', async () => {
  const [owner, guest] = [await server.register(), await server.register()];
  const create = async (remark: string) =>
    (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
  const [granted, other] = [await create('Granted'), await create('Other')];
  await host(server, owner.accountId, guest.accountId, ['network.read'], [granted]);
  const response = await fetch(`${server.url}/api/v3/live`, {
    headers: { authorization: `Bearer ${guest.token}`, account: owner.accountId },
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const facts = [
    { type: 'network.changed', gwid: other },
    { type: 'device.changed', serial: '9c0000000001', gwid: null },
    { type: 'job', job_id: 'x' },
    { type: 'message' },
    { type: 'network.changed', gwid: granted },
  ];
  for (const fact of facts) server.program.bus.publish(`live.${owner.accountId}`, fact);
  let text = '';
  while (!text.includes(granted)) text += (await reader.read()).value ?? '';
  const reported = [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
  expect(reported).toEqual([{ type: 'network.changed', gwid: granted }]);
  await reader.cancel();
});
