import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it.each([
  ['/api/v3/profile/qq', 'qq', '10001', ['123', '0123456', 'abc12345', '1234567890123']],
  ['/api/v3/profile/name', 'name', 'Ms. Li', ['two;words', '<b>', 'x'.repeat(33)]],
])(
  '%s is saved, logged with the old value, undone and removed; wrong ones stand beside the field',
  async (path, field, good, bad) => {
    const owner = await server.register();
    const shown = async () => (await server.get<Record<string, string>>('/api/v3/user', owner)).data[field];
    expect((await server.call(path, { [field]: good }, owner)).data).toEqual({ [field]: good });
    expect(await shown()).toBe(good);
    for (const value of bad) {
      const answer = await server.call(path, { [field]: value }, owner);
      expect(answer, value).toMatchObject({ status: 422 });
      expect(Object.keys(answer.errors!)).toEqual([field]);
    }
    expect(await shown()).toBe(good);
    const log = await server.call<{ list: { seq: number; before: object; after: object }[] }>(
      '/api/v3/log/action/list',
      {},
      owner,
    );
    expect(log.data.list[0]).toMatchObject({ before: { [field]: '' }, after: { [field]: good } });
    expect((await server.call('/api/v3/log/action/undo', { seq: log.data.list[0]!.seq }, owner)).code).toBe(2000);
    expect(await shown()).toBe('');
    await server.call(path, { [field]: good }, owner);
    expect((await server.call(path, { [field]: '' }, owner)).code).toBe(2000);
    expect(await shown()).toBe('');
  },
);

it('keeps what is left out of the personalization, and the person’s own in whatever account is worked', async () => {
  const owner = await server.register();
  const save = (input: object) => server.call<object>('/api/v3/personalization/save', input, owner);
  expect((await save({ theme: 'dark', page_size: 50, time_zone: 'Europe/Berlin' })).data).toEqual({
    theme: 'dark',
    home_section: 'revenue',
    home_layout: null,
    language: 'en',
    density: 'comfortable',
    time_zone: 'Europe/Berlin',
    page_size: 50,
  });
  expect((await save({ time_zone: null, density: 'compact' })).data).toMatchObject({
    theme: 'dark',
    density: 'compact',
    time_zone: null,
    page_size: 50,
  });
  expect((await save({ page_size: 30 })).status).toBe(422);
});

it('keeps the cards of the overview with the person, until they are put back', async () => {
  const owner = await server.register();
  const save = (home_layout: unknown) => server.call('/api/v3/personalization/save', { home_layout }, owner);
  const layout = { order: ['trend', 'income'], hidden: ['jobs'] };
  expect((await save(layout)).data).toMatchObject({ home_layout: layout });
  expect((await server.get('/api/v3/user', owner)).data).toMatchObject({
    personalization: { home_layout: layout },
  });
  expect((await save({ ...layout, hidden: ['<b>'] })).status).toBe(422);
  expect((await save({ order: null })).status).toBe(422);
  expect((await save(null)).data).toMatchObject({ home_layout: null });
});
