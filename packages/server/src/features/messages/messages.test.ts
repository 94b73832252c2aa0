import type { messages } from '@yunxun/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numbered } from '../../../test/numbered.ts';
import { host } from '../../../test/seed.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import { newId } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log.ts';
import { createMessages, type NewMessage } from './index.ts';

interface Row {
  id: string;
  type: string;
  template: string;
  params: Record<string, string | number>;
  link: string | null;
  is_read: boolean;
  created_at: string;
}
interface List {
  list: Row[];
  total: number;
}

const clock = new ManualClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const service = () =>
  createMessages({ bus: server.program.bus, clock, database: server.db.database, log: silentLog() });

async function post(
  accountId: string,
  {
    template = 'memberJoined',
    ...message
  }: Partial<Omit<NewMessage<never>, 'template' | 'params'>> & {
    template?: messages.MessageTemplate;
    params?: Record<string, string | number>;
  } = {},
): Promise<void> {
  clock.advance(1000);
  await server.db.database.withSystem((tx) =>
    service().post(tx, accountId, { params: {}, ...message, template: template as never }),
  );
}

type As = { token: string; account?: string };
const list = async (as: As, input: object = {}) => (await server.call<List>('/api/v3/message/list', input, as)).data;
const unread = async (as: As) =>
  (await server.call<{ unread: number; newest: Row[] }>('/api/v3/message/unread_count', {}, as)).data;

async function colleague(
  owner: Registered,
  role = 'operator',
  gwids: string[] | null = null,
): Promise<Registered & As> {
  const person = await server.register();
  await server.db.database.systemPool.query(
    'insert into member (account_id, person_id, person_account_id, role, gwids) values ($1, $2, $3, $4, $5)',
    [owner.accountId, person.userId, person.accountId, role, gwids],
  );
  return { ...person, account: owner.accountId };
}

describe('the inbox', () => {
  it('lists newest first, by type, by what is unread and in pages', async () => {
    const owner = await server.register();
    for (const template of ['memberJoined', 'newPlace', 'invoiceIssued', 'smsLow'] as const) {
      await post(owner.accountId, { template, link: '/networks' });
    }
    const all = await list(owner, { limit: 3 });
    expect(all.total).toBe(4);
    expect(all.list.map((row) => row.type)).toEqual(['system', 'billing', 'security']);
    expect(all.list[0]).toMatchObject({ template: 'smsLow', link: '/networks', is_read: false, params: {} });
    expect((await list(owner, { limit: 3, page: 2 })).list.map((row) => row.type)).toEqual(['system']);
    expect((await list(owner, { order: 'asc' })).list.map((row) => row.type)[2]).toBe('billing');
    expect((await list(owner, { type: 'system' })).total).toBe(2);
    await server.call('/api/v3/message/read', { ids: [all.list[0]!.id] }, owner);
    expect((await list(owner, { unread: true })).list.map((row) => row.type)).toEqual([
      'billing',
      'security',
      'system',
    ]);
    expect((await list(owner, { unread: false })).list.map((row) => row.id)).toEqual([all.list[0]!.id]);
  });

  it('finds a keyword in the values, and in the texts that the page says have it', async () => {
    const owner = await server.register();
    await post(owner.accountId, { template: 'tokenCreated', params: { device: 'Lobby 100%', count: 7 } });
    await post(owner.accountId, { template: 'passkeyAdded', params: { device: 'Cellar' } });
    const found = async (keyword: string, keyword_templates?: string[]) =>
      (await list(owner, { keyword, ...(keyword_templates && { keyword_templates }) })).list.map((row) => row.template);
    expect(await found('lobby')).toEqual(['tokenCreated']);
    expect(await found('%')).toEqual(['tokenCreated']);
    expect(await found('device')).toEqual([]);
    expect(await found('nothing', ['passkeyAdded'])).toEqual(['passkeyAdded']);
    expect(await found('lobby', ['passkeyAdded'])).toEqual(['passkeyAdded', 'tokenCreated']);
  });

  it('shows one with its neighbours, and leaves it unread until it is said to be read', async () => {
    const owner = await server.register();
    for (const template of ['mobileChanged', 'emailChanged', 'secondFactorOn'] as const)
      await post(owner.accountId, { template });
    const [third, second, first] = (await list(owner)).list.map((row) => row.id);
    const detail = async (id: string) =>
      (
        await server.call<{ message: Row; newer: string | null; older: string | null }>(
          '/api/v3/message/detail',
          { id },
          owner,
        )
      ).data;
    expect(await detail(second!)).toMatchObject({
      message: { template: 'emailChanged', is_read: false },
      newer: third,
      older: first,
    });
    expect(await detail(third!)).toMatchObject({ newer: null, older: second });
    expect(await detail(first!)).toMatchObject({ newer: second, older: null });
    expect((await unread(owner)).unread).toBe(3);
    expect((await server.call('/api/v3/message/read', { ids: [second] }, owner)).data).toEqual({ unread: 2 });
    expect((await detail(second!)).message.is_read).toBe(true);
    await server.call('/api/v3/message/delete', { id: second }, owner);
    expect(await detail(third!)).toMatchObject({ older: first });
    expect((await server.call('/api/v3/message/detail', { id: second }, owner)).code).toBe(4113);
  });

  it('keeps what each person has read and deleted apart', async () => {
    const owner = await server.register();
    const other = await colleague(owner);
    for (let at = 0; at < 7; at += 1) await post(owner.accountId, { template: at < 2 ? 'newPlace' : 'memberJoined' });
    const ids = (await list(owner)).list.map((row) => row.id);
    const count = await unread(owner);
    expect([count.unread, count.newest.map((row) => row.id)]).toEqual([7, ids.slice(0, 5)]);
    expect((await server.call('/api/v3/message/read_all', { type: 'security' }, owner)).data).toEqual({ unread: 5 });
    expect((await server.call('/api/v3/message/read_all', {}, owner)).data).toEqual({ unread: 0 });
    expect((await unread(other)).unread).toBe(7);
    const deleted = await server.call('/api/v3/message/batch_delete', { ids: ids.slice(0, 3) }, owner);
    expect(deleted.data).toEqual({ deleted: 3 });
    expect((await list(owner)).list.map((row) => row.id)).toEqual(ids.slice(3));
    expect((await list(other)).total).toBe(7);
    const again = await server.call('/api/v3/message/batch_delete', { ids: ids.slice(2, 5) }, owner);
    expect(again.data).toEqual({ deleted: 2 });
  });

  it('gives a message to one person to that person alone', async () => {
    const owner = await server.register();
    const other = await colleague(owner);
    await post(owner.accountId, { template: 'passwordChanged', personId: owner.userId });
    await post(owner.accountId, { template: 'memberLeft' });
    expect((await list(owner)).list.map((row) => row.template)).toEqual(['memberLeft', 'passwordChanged']);
    expect((await list(other)).list.map((row) => row.template)).toEqual(['memberLeft']);
    expect(await unread(other)).toMatchObject({ unread: 1, newest: [{ template: 'memberLeft' }] });
    const id = (await list(owner)).list[1]!.id;
    for (const [path, input] of [
      ['detail', { id }],
      ['read', { ids: [id] }],
      ['delete', { id }],
      ['batch_delete', { ids: [id] }],
    ] as const) {
      expect((await server.call(`/api/v3/message/${path}`, input, other)).code, path).toBe(4113);
    }
    expect((await list(owner)).list[1]).toMatchObject({ is_read: false });
    await server.call('/api/v3/message/read_all', {}, other);
    expect((await unread(owner)).unread).toBe(2);
  });

  it('shows a member limited to some networks only their messages', async () => {
    const owner = await server.register();
    const create = async (remark: string) =>
      (await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner)).data.gwid;
    const [seen, hidden] = [await create('Seen'), await create('Hidden')];
    await post(owner.accountId, { template: 'smsLow' });
    await post(owner.accountId, { template: 'deviceReenrolled', gwid: hidden });
    await post(owner.accountId, { template: 'siteSilenceEnded', gwid: seen });
    const guest = await server.register();
    await host(server, owner.accountId, guest.accountId, ['message.read'], [seen]);
    const as = { token: guest.token, account: owner.accountId };
    expect((await list(as)).list.map((row) => row.template)).toEqual(['siteSilenceEnded']);
    expect(await unread(as)).toMatchObject({ unread: 1 });
    const hiddenId = (await list(owner)).list.find((row) => row.template === 'deviceReenrolled')!.id;
    expect((await server.call('/api/v3/message/detail', { id: hiddenId }, as)).code).toBe(4113);
    expect((await list(await colleague(owner, 'operator', [hidden]))).list.map((row) => row.template)).toEqual([
      'deviceReenrolled',
    ]);
  });

  it('notifies the pages of members who may read it, and only the own pages of a mark', async () => {
    const owner = await server.register();
    const create = async () =>
      (await server.call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(owner, 'N') }, owner)).data
        .gwid;
    const [seen, hidden] = [await create(), await create()];
    const [other, narrow] = [await colleague(owner), await colleague(owner, 'operator', [seen])];
    const deaf = await server.register();
    await host(server, owner.accountId, deaf.accountId, ['network.read', 'job.read']);
    const streams = await Promise.all(
      [owner, other, narrow, { token: deaf.token, account: owner.accountId }].map((as) => listen(as)),
    );
    await post(owner.accountId, { personId: owner.userId });
    await post(owner.accountId, { gwid: hidden });
    await post(owner.accountId, { gwid: seen });
    await server.call('/api/v3/message/read_all', {}, other);
    // last fact of every stream
    await server.call('/api/v3/network/update', { gwid: seen, remark: 'End' }, owner);
    const [toOwner, toOther, toNarrow, toDeaf] = await Promise.all(streams.map((stream) => stream.until(seen)));
    const fact = (gwid: string | null, person_id: string | null) => ({ type: 'message', gwid, person_id });
    expect(toOwner).toEqual([fact(null, owner.userId), fact(hidden, null), fact(seen, null)]);
    expect(toOther).toEqual([fact(hidden, null), fact(seen, null), fact(null, other.userId)]);
    expect(toNarrow).toEqual([fact(seen, null)]);
    expect(toDeaf).toEqual([]);
  });

  it('forgets messages after 180 days, with their marks', async () => {
    const owner = await server.register();
    await post(owner.accountId, { template: 'memberLeft' });
    await server.call('/api/v3/message/read_all', {}, owner);
    clock.advance(179 * 86_400_000);
    await post(owner.accountId, { template: 'memberChanged' });
    await service().tasks['messages-prune']();
    const inTable = async () => {
      const { rows } = await server.db.database.systemPool.query<{ template: string; marks: number }>(
        `select template, (select count(*)::int from message_mark k where k.account_id = m.account_id and k.message_id = m.id) as marks
         from message m where account_id = $1 order by created_at`,
        [owner.accountId],
      );
      return rows;
    };
    expect(await inTable()).toEqual([
      { template: 'memberLeft', marks: 1 },
      { template: 'memberChanged', marks: 0 },
    ]);
    clock.advance(86_400_000);
    await service().tasks['messages-prune']();
    expect(await inTable()).toEqual([{ template: 'memberChanged', marks: 0 }]);
    const { rows } = await server.db.database.systemPool.query('select 1 from message_mark where account_id = $1', [
      owner.accountId,
    ]);
    expect(rows).toEqual([]);
  });

  it('does not know what there is not', async () => {
    const owner = await server.register();
    expect((await server.call('/api/v3/message/detail', { id: newId() }, owner)).code).toBe(4113);
    expect((await unread(owner)).unread).toBe(0);
    expect((await server.call('/api/v3/message/read_all', {}, owner)).data).toEqual({ unread: 0 });
  });
});

/** Collects inbox facts until the change of a network. */
async function listen(as: As): Promise<{ until(gwid: string): Promise<unknown[]> }> {
  const response = await fetch(`${server.url}/api/v3/live`, {
    headers: { authorization: `Bearer ${as.token}`, ...(as.account ? { account: as.account } : {}) },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async until(gwid) {
      const facts = () =>
        [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!) as { type: string; gwid: string });
      while (!facts().some((fact) => fact.type === 'network.changed' && fact.gwid === gwid)) {
        text += (await reader.read()).value ?? '';
      }
      await reader.cancel();
      return facts().filter((fact) => fact.type === 'message');
    },
  };
}
