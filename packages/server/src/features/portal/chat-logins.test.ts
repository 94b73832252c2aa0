import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoginMethodKind, PortalMethod } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  grantOpen,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  type Page,
  plainFas,
  sealedFas,
  submit,
} from './testing/guest.ts';
import { portalNetwork } from './testing/portal-network.ts';

/** Requests and answers as the public documentation of each service shows them. */
interface Vector {
  method: PortalMethod;
  page: { path: string; query: Record<string, string> };
  code: 'code' | 'authCode';
  calls: { request: string; body?: object; header?: [string, string]; answer: object }[];
  refused: object;
  identity: string;
  whole: string;
}

const app = { ...freeLimits, client_id: 'app-1', client_secret: 'secret-1' };
const vectors: Record<Exclude<LoginMethodKind, 'oidc'>, Vector> = {
  wechat: {
    method: { kind: 'wechat', ...app },
    page: {
      path: '/connect/qrconnect',
      query: { appid: 'app-1', response_type: 'code', scope: 'snsapi_login' },
    },
    code: 'code',
    calls: [
      {
        request: 'GET /sns/oauth2/access_token?appid=app-1&secret=secret-1&code=C-1&grant_type=authorization_code',
        answer: {
          access_token: 'ACCESS',
          expires_in: 7200,
          refresh_token: 'REFRESH',
          openid: 'OPENID',
          scope: 'snsapi_login',
          unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL',
        },
      },
      {
        request: 'GET /sns/userinfo?access_token=ACCESS&openid=OPENID&lang=zh_CN',
        answer: { openid: 'OPENID', nickname: '小林', sex: 1, unionid: 'o6_bmasdasdsad6_2sgVt7hMZOPfL' },
      },
    ],
    refused: { errcode: 40_029, errmsg: 'invalid code' },
    identity: '小林',
    whole: '小林 (OPENID)',
  },
  wecom: {
    method: { kind: 'wecom', ...app, agent_id: '1000002' },
    page: {
      path: '/wwlogin/sso/login',
      query: { login_type: 'CorpApp', appid: 'app-1', agentid: '1000002' },
    },
    code: 'code',
    calls: [
      {
        request: 'GET /cgi-bin/gettoken?corpid=app-1&corpsecret=secret-1',
        answer: { errcode: 0, errmsg: 'ok', access_token: 'accesstoken000001', expires_in: 7200 },
      },
      {
        request: 'GET /cgi-bin/auth/getuserinfo?access_token=accesstoken000001&code=C-1',
        answer: { errcode: 0, errmsg: 'ok', userid: 'ZhangSan' },
      },
    ],
    refused: { errcode: 40_029, errmsg: 'invalid code' },
    identity: 'ZhangSan',
    whole: 'ZhangSan (ZhangSan)',
  },
  dingtalk: {
    method: { kind: 'dingtalk', ...app, allowed: ['corpId=ding1'] },
    page: {
      path: '/oauth2/auth',
      query: { client_id: 'app-1', response_type: 'code', prompt: 'consent', scope: 'openid corpid' },
    },
    code: 'authCode',
    calls: [
      {
        request: 'POST /v1.0/oauth2/userAccessToken',
        body: { clientId: 'app-1', clientSecret: 'secret-1', code: 'C-1', grantType: 'authorization_code' },
        answer: { accessToken: 'abcd', refreshToken: 'abcd', expireIn: 7200, corpId: 'ding1' },
      },
      {
        request: 'GET /v1.0/contact/users/me',
        header: ['x-acs-dingtalk-access-token', 'abcd'],
        answer: { nick: 'zhangsan', unionId: 'z21HjQliSzpw0Yxxxx', openId: '123', email: 'zhangsan@example.com' },
      },
    ],
    refused: { code: 'invalidParameter.authCode.notFound', message: 'authCode not found', requestid: 'R' },
    identity: 'zhangsan',
    whole: 'zhangsan (z21HjQliSzpw0Yxxxx)',
  },
};
const kinds = Object.keys(vectors) as (keyof typeof vectors)[];

const clock = new ManualClock(new Date('2026-11-23T04:00:00Z'));
const templates = memoryTemplates();
let receiver: Server;
let endpoint: string;
let server: TestServer;
let owner: Registered;
let expected: Vector['calls'] = [];
let heard: { request: string; body: unknown; headers: unknown }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    heard.push({ request: `${request.method} ${request.url}`, body, headers: request.headers });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(expected[heard.length - 1]?.answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const providerEndpoints = { wechat: endpoint, wecom: endpoint, dingtalk: endpoint };
  server = await startTestServer({ clock, portalTemplates: templates, providerEndpoints });
});
beforeEach(async () => {
  owner = await server.register();
  heard = [];
});
afterAll(async () => {
  receiver.close();
  await server.stop();
});

it.each(kinds)('knows a guest of %s again on a verified device', async (kind) => {
  const { code, calls, identity } = vectors[kind];
  expected = calls;
  const method = { ...vectors[kind].method, client_secret: 'secret-5' } as PortalMethod;
  const { base, gwid, secret } = await portalNetwork(server, owner, templates, {
    gateway: 'opennds_3',
    content: contentWith([method], { remember_days: 2 }),
  });
  const client = newClient();
  const come = () => openPage(`${base}/fas?${sealedFas({ ...client, hid: newClient().hid }, secret)}`);
  const { comeBack } = await leave(base, await come(), kind);
  await comeBack({ [code]: 'C-1' });
  await grantOpen(base);
  expect((await submit(await come(), 'remembered')).html).toContain('Connecting');
  await grantOpen(base);
  const { data } = await server.call<{ total: number }>('/api/v3/portal/session/list', { gwid }, owner);
  expect(data).toMatchObject({ total: 2, list: [{ identity }, { identity }] });
});

async function begin(method: PortalMethod) {
  const { base, gwid } = await portalNetwork(server, owner, templates, {
    gateway: 'opennds_1',
    content: contentWith([method]),
  });
  const arrived = await openPage(`${base}/fas?${plainFas(newClient())}`);
  return { gwid, ...(await leave(base, arrived, method.kind)) };
}

async function leave(base: string, arrived: Page, kind: string) {
  const sent = await submit(arrived, kind);
  const page = new URL(nextOf(sent));
  const cookie = sent.headers.get('set-cookie')!.split(';')[0]!;
  const comeBack = (query: Record<string, string>) =>
    openPage(
      `${new URL(base).origin}/login?${new URLSearchParams({ ...query, state: page.searchParams.get('state')! })}`,
      { headers: { cookie, 'accept-language': 'en' } },
    );
  return { page, comeBack };
}

it.each(kinds)('lets a guest in as the documentation of %s shows', async (kind) => {
  const { method, page: shown, code, calls, identity, whole } = vectors[kind];
  expected = calls;
  const { gwid, page, comeBack } = await begin(method);
  expect(page.origin + page.pathname).toBe(endpoint + shown.path);
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    ...shown.query,
    redirect_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/login$/),
    state: expect.stringMatching(/^[a-zA-Z0-9]{1,128}$/),
  });
  expect(nextOf(await comeBack({ [code]: 'C-1' }))).toContain('opennds_auth');
  for (const [at, { request, body, header }] of calls.entries()) {
    expect(heard[at]).toMatchObject({ request, ...(body && { body }) });
    if (header) expect(heard[at]!.headers).toMatchObject({ [header[0]]: header[1] });
  }
  expect(heard).toHaveLength(calls.length);
  const list = await server.call<{ list: { id: string }[] }>('/api/v3/portal/session/list', { gwid }, owner);
  expect(list.data.list).toMatchObject([{ identity, method: kind, masked: true }]);
  const reveal = { gwid, id: list.data.list[0]!.id };
  expect((await server.call('/api/v3/portal/session/reveal', reveal, owner)).data).toEqual({ identity: whole });
});

it.each(kinds)('names the refusal of %s, and an answer that is none', async (kind) => {
  const { method, code, refused } = vectors[kind];
  const fresh = { ...method, client_secret: 'secret-2' } as PortalMethod;
  expected = [{ request: '', answer: refused }];
  expect(alertOf(await (await begin(fresh)).comeBack({ [code]: 'C-1' }))).toBe('The sign-in was cancelled or refused.');
  // without a code the guest has refused
  expect(alertOf(await (await begin(fresh)).comeBack({}))).toBe('The sign-in was cancelled or refused.');
  heard = [];
  expected = [{ request: '', answer: {} }];
  expect(alertOf(await (await begin(fresh)).comeBack({ [code]: 'C-1' }))).toMatch(
    kind === 'dingtalk' ? 'Your account may not use' : 'is incomplete',
  );
});

it('fetches a token of WeCom once, and anew when it no longer counts', async () => {
  const method = { ...vectors.wecom.method, client_secret: 'secret-3' } as PortalMethod;
  const token = (access_token: string) => ({ request: '', answer: { errcode: 0, access_token } });
  const user = (answer: object) => ({ request: '', answer });
  expected = [
    token('T1'),
    user({ errcode: 0, userid: 'A' }),
    user({ errcode: 42_001 }),
    token('T2'),
    user({ errcode: 0, userid: 'B' }),
  ];
  for (let n = 0; n < 2; n += 1)
    expect(nextOf(await (await begin(method)).comeBack({ code: 'C-1' }))).toContain('opennds_auth');
  expect(heard.map(({ request }) => /access_token=(\w+)/.exec(request)?.[1] ?? 'gettoken')).toEqual([
    'gettoken',
    'T1',
    'T1',
    'gettoken',
    'T2',
  ]);
});

it('lets no stranger in by WeCom, nor another company by DingTalk', async () => {
  const wecom = { ...vectors.wecom.method, client_secret: 'secret-4' } as PortalMethod;
  expected = [
    { request: '', answer: { access_token: 'T' } },
    { request: '', answer: { errcode: 0, openid: 'OPENID' } },
  ];
  expect(alertOf(await (await begin(wecom)).comeBack({ code: 'C-1' }))).toBe('Your account may not use this network.');
  heard = [];
  expected = [{ request: '', answer: { accessToken: 'T', corpId: 'ding2' } }];
  expect(alertOf(await (await begin(vectors.dingtalk.method)).comeBack({ authCode: 'C-1' }))).toBe(
    'Your account may not use this network.',
  );
});
