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

it('refuses the ninth stream of a session with the limit, frees a closed one, and leaves other sessions alone', async () => {
  const owner = await server.register();
  const { token } = await server.call('/api/v3/login', { email: owner.email, password: owner.password });
  const open = (by = owner.token) => {
    const closing = new AbortController();
    const answered = fetch(`${server.url}/api/v3/live`, {
      headers: { authorization: `Bearer ${by}`, 'accept-language': 'en' },
      signal: closing.signal,
    });
    return { answered, close: () => closing.abort() };
  };
  const isStream = async ({ answered }: ReturnType<typeof open>) =>
    (await answered).headers.get('content-type')?.startsWith('text/event-stream');
  const streams = Array.from({ length: 8 }, () => open());
  expect(await Promise.all(streams.map(isStream))).toEqual(Array(8).fill(true));
  const ninth = (await (await open().answered).json()) as object;
  expect(ninth).toMatchObject({ code: 4106, message: expect.stringContaining('8'), data: { limit: 8, used: 8 } });
  const other = open(token!);
  expect(await isStream(other)).toBe(true);
  streams[0]!.close();
  await expect
    .poll(async () => {
      const again = open();
      streams.push(again);
      return isStream(again);
    })
    .toBe(true);
  for (const stream of [...streams, other]) stream.close();
});
