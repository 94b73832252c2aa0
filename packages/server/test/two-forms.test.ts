import type { Seed } from '@yunxun/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edits } from '../../../tools/edits.ts';
import { administer, logHead } from './endpoints.ts';
import { makeSeed, type OwnedSeed } from './seed.ts';
import { startTestServer, type TestServer } from './server.ts';

let server: TestServer;
let owned: OwnedSeed;

beforeAll(async () => {
  server = await startTestServer();
  owned = await makeSeed(server);
  await administer(server, owned.owner.userId);
});
afterAll(() => server.stop());

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owned.owner);

interface Row {
  names: (seed: Seed) => object;
  made?: object;
  forms: readonly [object, object];
  read: (seed: Seed) => [path: string, input: object];
  of?: (data: never, seed: Seed) => unknown;
  /** Default: what the forms sent. */
  shown?: object;
}

const oneOf =
  (id: (seed: Seed) => string) =>
  ({ list }: { list: { id: string }[] }, seed: Seed) =>
    list.find((one) => one.id === id(seed));
const networkOf = ({ network: { gwid } }: Seed) => ({ gwid });

const rows: Record<string, Row> = {
  'account/update': {
    names: () => ({}),
    forms: [{ name: 'Firm' }, { trust_sites: true }],
    read: () => ['account/detail', {}],
  },
  'account/member/update': {
    names: ({ member: { id } }) => ({ id }),
    forms: [{ role: 'auditor' }, { gwids: null }],
    read: () => ['account/member/list', {}],
    of: oneOf(({ member }) => member.id),
  },
  'hosting/update': {
    names: ({ delegation: { id } }) => ({ id }),
    forms: [{ gwids: null }, { permissions: ['network.read'] }],
    read: () => ['hosting/list', {}],
    of: oneOf(({ delegation }) => delegation.id),
  },
  'account/role/update': {
    names: ({ role: { id } }) => ({ id }),
    forms: [{ permissions: ['network.read'] }, { name: 'Night' }],
    read: () => ['account/role/list', {}],
    of: oneOf(({ role }) => role.id),
  },
  'alarm_rule/save': {
    names: () => ({}),
    forms: [{ rule: { kind: 'ap_offline', tolerance: 77 } }, { rule: { kind: 'ap_offline', level: 'FATAL' } }],
    read: () => ['alarm_rule/list', {}],
    of: ({ list }: { list: { rule: { kind: string } }[] }) => list.find(({ rule }) => rule.kind === 'ap_offline'),
    shown: { rule: { kind: 'ap_offline', tolerance: 77, level: 'FATAL' } },
  },
  'asset/update': {
    names: ({ network: { gwid }, station: { mac } }) => ({ gwid, ids: [mac] }),
    forms: [{ name: 'Till' }, { note: 'bought-2026' }],
    read: (seed) => ['asset/list', networkOf(seed)],
    of: oneOf(({ station }) => station.mac),
  },
  'cloud_backup/plan/save': {
    names: ({ network: { gwid } }) => ({ gwids: [gwid] }),
    forms: [{ plan: { hour: 5 } }, { plan: { cycle: 'weekly' } }],
    read: () => ['cloud_backup/router/list', {}],
    of: ({ list }: { list: { gwid: string }[] }, seed) => list.find(({ gwid }) => gwid === seed.network.gwid),
    shown: { plan: { hour: 5, cycle: 'weekly' } },
  },
  'billing/package/save': {
    names: ({ package: { id } }) => ({ id }),
    forms: [{ price: '7.50' }, { gwids: null, devices: 9 }],
    read: () => ['billing/package/list', {}],
    of: oneOf((seed) => seed.package.id),
  },
  'network/update': {
    names: networkOf,
    forms: [{ remark: 'Atrium' }, { tags: ['north'] }],
    read: (seed) => ['network/detail', networkOf(seed)],
  },
  'network/window/save': {
    names: networkOf,
    made: { window: { weekdays: [1], start: '01:00', minutes: 60 } },
    forms: [{ window: { start: '02:00' } }, { window: { minutes: 90 } }],
    read: (seed) => ['network/window/get', networkOf(seed)],
    shown: { window: { weekdays: [1], start: '02:00', minutes: 90 } },
  },
  'network/first_contact/save': {
    names: networkOf,
    forms: [{ left_alone: true }, { bridge_lan: true }],
    read: (seed) => ['network/first_contact/get', networkOf(seed)],
  },
  'network/restart/save': {
    names: networkOf,
    made: { weekdays: [1], start: '01:00' },
    forms: [{ weekdays: [2, 3] }, { start: '05:00' }],
    read: (seed) => ['network/restart/list', networkOf(seed)],
    of: ({ list }: { list: object[] }) => list[0],
  },
  'install/mail/save': {
    names: () => ({}),
    forms: [{ port: 2525 }, { from: 'noc@example.org' }],
    read: () => ['install/detail', {}],
    of: ({ mail }: { mail: object }) => mail,
  },
  'install/sms/save': {
    names: () => ({}),
    forms: [{ sender: 'Shop' }, { region: 'cn' }],
    read: () => ['install/detail', {}],
    of: ({ sms }: { sms: object }) => sms,
  },
  'install/payment/save': {
    names: () => ({ provider: 'wechat' }),
    forms: [{ app_id: '20260001' }, { merchant_id: '7' }],
    read: () => ['install/payment/list', {}],
    of: ({ list }: { list: { provider: string }[] }) => list.find(({ provider }) => provider === 'wechat'),
  },
  'install/withdrawal/rule/save': {
    names: () => ({}),
    forms: [{ min_amount: '12.00' }, { fee_rate: 30 }],
    read: () => ['install/withdrawal/rule', {}],
  },
  'ac_password/rule/update': {
    names: ({ password: { id } }) => ({ id }),
    forms: [{ plan: { length: 16 } }, { name: 'Visitors' }],
    read: () => ['ac_password/rule/list', {}],
    of: oneOf(({ password }) => password.id),
  },
  'personalization/save': {
    names: () => ({}),
    forms: [{ theme: 'dark' }, { page_size: 50 }],
    read: () => ['personalization/save', {}],
  },
  'portal/site/save': {
    names: ({ portalNetwork: { gwid } }) => ({ gwid }),
    forms: [{ captive: { exempt_macs: ['00:1b:21:00:00:01'] } }, { captive: { exempt_addresses: ['192.0.2.1'] } }],
    read: ({ portalNetwork: { gwid } }) => ['portal/site', { gwid }],
    of: ({ site }: { site: object }) => site,
    shown: { enabled: true, captive: { exempt_macs: ['00:1b:21:00:00:01'], exempt_addresses: ['192.0.2.1'] } },
  },
  'portal/member/save': {
    names: ({ portalNetwork: { gwid }, portalMember: { id } }) => ({ gwid, id }),
    forms: [{ enabled: false }, { devices: 7 }],
    read: ({ portalNetwork: { gwid } }) => ['portal/member/list', { gwid }],
    of: oneOf(({ portalMember }) => portalMember.id),
  },
  'auth_template/shop/save': {
    names: ({ portalNetwork: { gwid } }) => ({ gwid }),
    forms: [{ name: 'Cafe 7' }, { phone: '010-1234567' }],
    read: ({ portalNetwork: { gwid } }) => ['auth_template/shop/detail', { gwid }],
  },
  'radius/nas/update': {
    names: ({ radiusNas: { id } }) => ({ id }),
    forms: [{ coa_port: 4000 }, { name: 'Hall-AP' }],
    read: () => ['radius/nas/list', {}],
    of: oneOf(({ radiusNas }) => radiusNas.id),
  },
  'peripheral/update': {
    names: ({ peripheral: { id } }) => ({ id }),
    forms: [{ ip: '192.168.1.99' }, { web_port: 8080 }],
    read: () => ['peripheral/list', {}],
    of: oneOf(({ peripheral }) => peripheral.id),
  },
  'cloud_security/allowlist/update': {
    names: ({ shield: { allowId } }) => ({ id: allowId }),
    forms: [{ name: 'Bank-2' }, { link: 'https://bank2.example/' }],
    read: () => ['cloud_security/allowlist/list', {}],
    of: oneOf(({ shield }) => shield.allowId),
  },
  'cloud_security/setting/save': {
    names: ({ network: { gwid } }) => ({ gwids: [gwid] }),
    forms: [{ categories: ['own'] }, { redirect: true }],
    read: () => ['cloud_security/setting/list', { limit: 50 }],
    of: ({ list }: { list: { gwid: string }[] }, seed) => list.find(({ gwid }) => gwid === seed.network.gwid),
  },
  'sdwan/group/update': {
    names: ({ sdwan: { groupId } }) => ({ id: groupId }),
    forms: [{ widthband: 7 }, { name: 'Shops-2' }],
    read: ({ sdwan: { groupId } }) => ['sdwan/group/detail', { id: groupId }],
  },
  'sdwan/link_strategy/update': {
    names: ({ sdwan: { strategyId } }) => ({ id: strategyId }),
    forms: [{ hold_s: 77 }, { order: 'latency' }],
    read: () => ['sdwan/link_strategy/list', {}],
    of: oneOf(({ sdwan }) => sdwan.strategyId),
  },
  'user_online/update': {
    names: ({ station: { mac } }) => ({ mac }),
    forms: [{ remark: 'Till' }, { vip: true }],
    read: ({ station: { mac } }) => ['user_online/detail', { mac }],
  },
};

const written = (['write', 'device'] as const)
  .flatMap(edits)
  .filter(({ verb }) => verb === 'save' || verb === 'update');
const pathsBy = (wanted: string) =>
  written.flatMap(({ endpoint: { path }, guard }) => (guard === wanted ? path.slice('/api/v3/'.length) : []));

it('names each call that changes single fields', () => {
  const named = pathsBy('fields').filter((path) => path !== 'alarm_silence/save');
  expect(Object.keys(rows).toSorted()).toEqual(named.toSorted());
});

describe('two forms that change single fields of one state keep each other’s change', () => {
  it.each(Object.entries(rows))('%s', async (path, { names, made, forms, read, of, shown }) => {
    const { seed } = owned;
    for (const form of [...(made ? [made] : []), ...forms])
      expect(await call(path, { ...names(seed), ...form })).toMatchObject({ code: 2000 });
    const { data } = await call<never>(...read(seed));
    expect(of ? of(data, seed) : data).toMatchObject(shown ?? Object.assign({}, ...forms));
  });
});

it('keeps both of two first forms of a portal that are saved at once', async () => {
  const { database } = server.db;
  const { gwid } = owned.seed.network;
  const [exempt_macs, exempt_addresses] = [['00:1b:21:00:00:01'], ['192.0.2.1']];
  const waiting = async () => {
    const { rows } = await sql<{ pid: number }>`
      select distinct pid from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()
    `.execute(database.system);
    return rows.length;
  };
  const answers = await database.withSystem(async (tx) => {
    await sql`lock table portal_site in share mode`.execute(tx);
    const forms = [{ exempt_macs }, { exempt_addresses }].map((captive) => call('portal/site/save', { gwid, captive }));
    await expect.poll(waiting).toBe(2);
    return { forms };
  });
  for (const { code } of await Promise.all(answers.forms)) expect(code).toBe(2000);
  const { data } = await call<{ site: object }>('portal/site', { gwid });
  expect(data.site).toMatchObject({ captive: { exempt_macs, exempt_addresses } });
});

describe('of two forms of one version the second is refused and changes nothing', () => {
  it.each(written.filter(({ guard }) => guard === 'version'))('$endpoint.path', async ({ endpoint }) => {
    const { owner, seed } = owned;
    const form = endpoint.example(seed) as { version?: number; revision?: number };
    const { version: _version, revision: _revision, ...unread } = form;
    expect((await server.call(endpoint.path, unread, owner)).code).toBe(422);
    expect((await server.call(endpoint.path, form, owner)).code).toBe(2000);
    const before = await logHead(server, owner.accountId);
    expect((await server.call(endpoint.path, form, owner)).code).toBe(4104);
    expect(await logHead(server, owner.accountId)).toBe(before);
  });
});
