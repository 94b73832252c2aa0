import { codes } from '@yunxun/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.stop());

const subscription = {
  name: 'Night',
  enabled: true,
  locale: 'en',
  levels: ['FATAL'],
  kinds: [],
  scope: { type: 'all', ids: [] },
  members: [],
  member_channels: [],
  schedule: [],
  quiet: null,
  digest_minutes: 0,
  repeat_hours: 0,
  recovery: true,
  endpoints: [{ type: 'slack', url: 'https://chat.example.org/a' }],
};

it('saves one of ten forms of one name that arrive at the same time, and names the matter to the others', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.call('/api/v3/alarm_subscription/save', subscription, owner)),
  );
  const others = Array.from({ length: 9 }, () => codes.nameExists);
  expect(answers.map(({ code }) => code).toSorted()).toEqual([codes.success, ...others]);
});

it('gives no two networks one name, in any letter case and width, though they are made at the same time', async () => {
  const create = (remark: string) => server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner);
  const answers = await Promise.all(['West Wing', 'WEST WING', 'Ｗｅｓｔ Wing', 'west wing'].map(create));
  const taken = [codes.nameExists, codes.nameExists, codes.nameExists];
  expect(answers.map(({ code }) => code).toSorted()).toEqual([codes.success, ...taken]);
  const made = answers.find(({ code }) => code === codes.success)!.data.gwid;
  const { data: other } = await create('East Wing');
  const rename = (gwid: string, remark: string) => server.call('/api/v3/network/update', { gwid, remark }, owner);
  expect((await rename(other.gwid, 'west WING')).code).toBe(codes.nameExists);
  expect((await rename(made, 'west WING')).code).toBe(codes.success);
});
