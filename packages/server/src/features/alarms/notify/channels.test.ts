import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../../../../test/server.ts';
import { postOutgoing } from '../../../platform/outgoing/post.ts';
import * as fixture from '../testing/fixture.ts';
import {
  hook,
  type Made,
  type Notices,
  notices,
  resetHook,
  run,
  type Saved,
  save,
  send,
  startHook,
  subscription,
} from '../testing/notify.ts';

const { call, devices, lose } = fixture;

beforeAll(async () => {
  await fixture.startFixture();
  await startHook();
});
afterAll(async () => {
  await fixture.stopFixture();
  await hook.stop();
});
beforeEach(async () => {
  await fixture.start();
  resetHook();
});

const hmac = (key: string, data: string) => createHmac('sha256', key).update(data).digest('base64');
const endpoints = (...list: Saved['endpoints']) => ({ endpoints: list });
const at = (path: string) => `${hook.url}/${path}`;

async function test({ id }: Pick<Made, 'id'>) {
  const { batch_id } = await call<{ batch_id: string }>('alarm_subscription/test', { id });
  await send();
  return (await notices({ batch_id })).list;
}

describe('a test message', () => {
  it('reaches every channel, and the record says so', async () => {
    const me = { members: [fixture.owner.userId], member_channels: ['console', 'email'] as const };
    const made = await save({
      members: me.members,
      member_channels: [...me.member_channels],
      ...endpoints(
        { type: 'webhook', url: at('webhook') },
        { type: 'wecom', url: at('wecom?key=a') },
        { type: 'dingtalk', url: at('dingtalk?access_token=a'), secret: 'SECding' },
        { type: 'feishu', url: at('feishu'), secret: 'fei' },
        { type: 'slack', url: at('slack') },
      ),
    });
    expect(made.secrets).toHaveLength(1);
    await expect
      .poll(async () => (await test(made)).map(({ channel, state }) => `${channel} ${state}`).toSorted())
      .toEqual([
        'console sent',
        'dingtalk sent',
        'email failed',
        ...['feishu', 'slack', 'webhook', 'wecom'].map((name) => `${name} sent`),
      ]);
    const { list: failed } = await notices({ state: 'failed' });
    expect(failed[0]).toMatchObject({ error: expect.stringContaining('outbox.ndjson'), sent_at: null });
    const of = (path: string) => hook.requests.findLast((request) => request.path === `/${path}`)!;
    const { query: ding } = of('dingtalk');
    expect(ding.get('sign')).toBe(hmac('SECding', `${ding.get('timestamp')}\nSECding`));
    const fei = JSON.parse(of('feishu').body) as { timestamp: string; sign: string; content: { text: string } };
    expect(fei.sign).toBe(hmac(`${fei.timestamp}\nfei`, ''));
    expect(fei.content.text).toContain('This is a test of the subscription “On-call”');
    expect(JSON.parse(of('wecom').body)).toMatchObject({ msgtype: 'text' });
    expect(JSON.parse(of('slack').body)).toEqual({ text: expect.stringContaining('test of the subscription') });
    expect(JSON.parse(of('webhook').body)).toMatchObject({
      type: 'alarm.test',
      alarms: [],
      account: { id: fixture.owner.accountId },
    });
    expect(fixture.server.outbox(fixture.owner.email).at(-1)).toMatchObject({ template: 'alarm' });
    const inbox = await call<{ list: { template: string }[] }>('message/list');
    expect(inbox.list[0]).toMatchObject({ template: 'alarmNotice' });
  });

  it('is tried once, and says in plain words what a service answered', async () => {
    const made = await save(endpoints({ type: 'dingtalk', url: at('dingtalk') }));
    hook.answer = () => ({ body: { errcode: 310000, errmsg: 'sign not match' } });
    expect(await test(made)).toMatchObject([
      { state: 'failed', error: 'The service refused the signature: check the secret and the keywords of the robot' },
    ]);
    hook.answer = () => ({ status: 302, body: '' });
    expect(await test(made)).toMatchObject([{ state: 'failed', error: expect.stringContaining('redirect') }]);
    hook.answer = () => ({ body: '<html>' });
    expect(await test(made)).toMatchObject([{ state: 'failed', error: expect.stringContaining('check the address') }]);
    expect(hook.requests).toHaveLength(3);
  });

  it('names the host that is unknown, and the one that refuses', async () => {
    const made = await save(
      endpoints({ type: 'slack', url: 'http://host.invalid/a' }, { type: 'slack', url: 'http://127.0.0.1:9/a' }),
    );
    const errors = (await test(made)).map(({ error }) => error).toSorted();
    expect(errors).toEqual(['The host name is unknown', 'The host refused the connection']);
  });
});

it.each([
  'http://127.0.0.1:PORT/',
  'http://localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://2130706433:PORT/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data',
])('refuses private addresses: %s', async (template) => {
  const url = template.replace('PORT', new URL(hook.url).port);
  await expect(postOutgoing({ url, headers: {}, body: '{}', privateAddresses: false })).rejects.toMatchObject({
    message: 'private_target',
    permanent: true,
  });
  expect(hook.requests).toEqual([]);
});

it('refuses a private address at saving, and says so of one that was saved before', async () => {
  const closed = await startTestServer();
  try {
    const owner = await closed.register();
    const create = (name: string) =>
      closed.call<Made>('/api/v3/alarm_subscription/save', subscription({ name }), owner);
    const made = await create('Before');
    closed.config.privateWebhooks = false;
    await closed.restart();
    expect((await create('After')).errors).toEqual({ 'endpoints.0.url': [expect.stringContaining('private network')] });
    const robot = async (url: string) => {
      const given = subscription({ name: 'Robot', endpoints: [{ type: 'wecom', url }] });
      return (await closed.call('/api/v3/alarm_subscription/save', given, owner)).errors?.['endpoints.0.url'];
    };
    expect(await robot('http://foo')).toEqual(['Enter an address that starts with https://']);
    expect(await robot('https://foo')).toEqual([expect.stringContaining('full host name')]);
    expect(await robot('https://foo.example/send')).toBeUndefined();
    await closed.call('/api/v3/alarm_subscription/test', { id: made.data.id }, owner);
    const record = () => closed.call<Notices>('/api/v3/alarm_notice/list', {}, owner);
    await expect
      .poll(async () => (await record()).data.list)
      .toMatchObject([{ state: 'failed', error: expect.stringContaining('private network') }]);
    expect(hook.requests).toEqual([]);
  } finally {
    await closed.stop();
  }
});

it('sends to members by mail and SMS, to those with limits only of their networks', async () => {
  await fixture.query("update person set mobile = '13800138000' where account_id = $1", [fixture.owner.accountId]);
  const members = [fixture.owner.userId];
  await save({ members, member_channels: ['email', 'sms'], endpoints: [] });
  const far = await fixture.network('East-Gate');
  await fixture.query("update member set role = 'operator', gwids = $2 where account_id = $1", [
    fixture.owner.accountId,
    [far],
  ]);
  await lose([...(await devices('ap', 1)), ...(await devices('gateway', 1, far))]);
  await run(7);
  await expect.poll(() => fixture.server.outbox(fixture.owner.email).at(-1)?.text).toContain('East-Gate');
  expect(
    fixture.server
      .outbox(fixture.owner.email)
      .map(({ text }) => text)
      .join(),
  ).not.toContain('West-Lake');
  const sms = fixture.server.outbox('13800138000');
  expect(sms).toMatchObject([{ template: 'alarm', params: { count: 1 } }]);
});

describe('a subscription', () => {
  const refused = async (more: Partial<Saved>) =>
    Object.keys(
      (await fixture.server.call('/api/v3/alarm_subscription/save', subscription(more), fixture.owner)).errors ?? {},
    );

  it('refuses bad input beside its field', async () => {
    const members = [fixture.owner.userId];
    expect(await refused({ endpoints: [] })).toEqual(['members']);
    expect(await refused({ members })).toEqual(['member_channels']);
    expect(await refused({ members, member_channels: ['sms'] })).toEqual(['member_channels']);
    expect(await refused({ members: [fixture.gwid], member_channels: ['console'] })).toEqual(['members']);
    expect(await refused({ scope: { type: 'networks', ids: [] } })).toEqual(['scope']);
    expect(await refused({ scope: { type: 'groups', ids: [fixture.gwid] } })).toEqual(['scope']);
    expect(await refused({ quiet: '07:00-07:00' })).toEqual(['quiet']);
    expect(await refused({ digest_minutes: 121 })).toEqual(['digest_minutes']);
    expect(await refused({ levels: [] })).toEqual(['levels']);
    expect(await refused(endpoints({ type: 'slack' }))).toEqual(['endpoints.0.url']);
    expect(await refused(endpoints({ type: 'slack', url: 'http://a:b@chat.example.org/' }))).toEqual([
      'endpoints.0.url',
    ]);
  });

  it('refuses a name that another one has', async () => {
    await save();
    const { code } = await fixture.server.call('/api/v3/alarm_subscription/save', subscription(), fixture.owner);
    expect(code).toBe(4105);
  });

  it('keeps its address and secret, which no answer has', async () => {
    const made = await save(endpoints({ type: 'feishu', url: at('hook-abcd'), secret: 'fei' }));
    const shown = await call<{ list: { endpoints: { id: string }[] }[] }>('alarm_subscription/list');
    expect(JSON.stringify(shown)).not.toContain('hook-abcd');
    const [{ id }] = shown.list[0]!.endpoints as [{ id: string }];
    const known = { id: made.id, version: 1 };
    await call('alarm_subscription/save', { ...known, ...subscription(endpoints({ id, type: 'feishu' })) });
    expect(await test(made)).toMatchObject([{ state: 'sent', recipient: expect.stringContaining('…abcd') }]);
    expect(JSON.parse(hook.requests[0]!.body)).toHaveProperty('sign');
    // another host must not get the secret
    await call('alarm_subscription/save', {
      ...known,
      version: 2,
      ...subscription(endpoints({ id, type: 'feishu', url: at('x').replace('127.0.0.1', 'localhost') })),
    });
    await test(made);
    expect(JSON.parse(hook.requests[1]!.body)).not.toHaveProperty('sign');
  });

  it('offers no undo of a new address or secret, for the old one is known no more', async () => {
    const made = await save(endpoints({ type: 'feishu', url: at('old'), secret: 'fei' }));
    const { list } = await call<{ list: { endpoints: { id: string }[] }[] }>('alarm_subscription/list');
    const { id } = list[0]!.endpoints[0]!;
    let version = 0;
    const isUndoable = async (more: Partial<Saved>) => {
      version += 1;
      await call('alarm_subscription/save', { id: made.id, version, ...subscription(more) });
      const log = await call<{ list: { undoable: boolean }[] }>('log/action/list', { limit: 1 });
      return log.list[0]!.undoable;
    };
    const kept = endpoints({ id, type: 'feishu' });
    expect(await isUndoable({ ...kept, levels: ['FATAL'] })).toBe(true);
    expect(await isUndoable(endpoints({ id, type: 'feishu', url: at('new') }))).toBe(false);
    expect(await isUndoable(endpoints({ id, type: 'feishu', secret: 'other' }))).toBe(false);
  });

  it('is saved again after a member has left the account', async () => {
    const made = await save({ members: [fixture.owner.userId], member_channels: ['console'] });
    await fixture.query('update alarm_subscription set members = members || gen_random_uuid() where id = $1', [
      made.id,
    ]);
    const { list } = await call<{ list: Saved[] }>('alarm_subscription/list');
    expect(list).toMatchObject([{ members: [fixture.owner.userId] }]);
  });

  it('shows the messages of an alarm with it', async () => {
    await save();
    await lose((await devices('ap', 3)).slice(1));
    await run(6);
    const [first] = await fixture.list();
    const { list } = await notices({ alarm_id: first!.id });
    expect(list).toMatchObject([{ total: 2, items: [{ alarm_id: first!.id }] }]);
  });

  it('deletes, and leaves the record', async () => {
    const made = await save();
    await test(made);
    await call('alarm_subscription/delete', { id: made.id });
    expect((await call<{ list: unknown[] }>('alarm_subscription/list')).list).toEqual([]);
    expect((await notices()).total).toBe(1);
  });
});
