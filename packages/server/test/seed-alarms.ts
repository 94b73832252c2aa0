import { alarmBrowsers, type Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

/** A disabled subscription with an address that refuses connections. */
export async function makeSubscription(server: TestServer, owner: Registered): Promise<Pick<Seed, 'subscription'>> {
  const { data } = await server.call<{ id: string }>(
    '/api/v3/alarm_subscription/save',
    {
      name: 'On-call',
      enabled: false,
      locale: 'en',
      levels: ['FATAL'],
      kinds: [],
      members: [],
      member_channels: [],
      scope: { type: 'all', ids: [] },
      schedule: [],
      quiet: null,
      digest_minutes: 0,
      repeat_hours: 0,
      recovery: true,
      endpoints: [{ type: 'slack', url: 'http://127.0.0.1:9/on-call' }],
    },
    owner,
  );
  return { subscription: { id: data.id } };
}

export async function makeBrowser(server: TestServer, owner: Registered): Promise<Pick<Seed, 'alarmBrowser'>> {
  const { example } = alarmBrowsers.browserSave;
  const endpoint = `http://127.0.0.1:9/${newId()}`;
  const input = { ...example({ account: { id: '' } } as Seed), endpoint };
  const { data } = await server.call<{ id: string }>('/api/v3/alarm_browser/save', input, owner);
  return { alarmBrowser: { id: data.id } };
}

export async function makeReport(server: TestServer, owner: Registered): Promise<Pick<Seed, 'report'>> {
  const { data } = await server.call<{ id: string }>(
    '/api/v3/report/save',
    { name: 'Weekly', enabled: false, period: 'week', weekday: 1, hour: 8, members: [owner.userId] },
    owner,
  );
  return { report: { id: data.id } };
}

/** A disabled rule of one network. */
export async function makeAlarmRule(
  server: TestServer,
  owner: Registered,
  { gwid }: Seed['device'],
): Promise<Pick<Seed, 'alarmRule'>> {
  const { data } = await server.call<{ id: string }>(
    '/api/v3/alarm_rule/create',
    {
      rule: {
        kind: 'storage_low',
        enabled: false,
        level: 'GENERAL',
        tolerance: 600,
        threshold: 90,
        scope: { type: 'networks', ids: [gwid] },
      },
    },
    owner,
  );
  return { alarmRule: { id: data.id } };
}

/** A silenced alarm of a device: its firmware upgrade failed, and the log of upgrades says so. */
export async function makeAlarm(
  server: TestServer,
  owner: Registered,
  { serial, gwid }: Seed['device'],
): Promise<Pick<Seed, 'alarm'>> {
  const id = newId();
  const { systemPool } = server.db.database;
  await systemPool.query(
    `insert into upgrade_log (account_id, id, at, serial, name, gwid, action, trigger, result)
     values ($1, $2, now(), $3, 'AP-1', $4, 'upgrade', 'user', 'failed')`,
    [owner.accountId, newId(), serial, gwid],
  );
  await systemPool.query(
    `insert into alarm (account_id, id, kind, level, state, gwid, serial, part, name, network, began_at, last_at, count, devices_hit, silenced_until)
     select account_id, $2, 'upgrade_failed', 'MIDDLE', 'silenced', gwid, serial, '', 'AP-1', 'Lobby', at, at, 1, 1, at + interval '1 day'
     from upgrade_log where account_id = $1 and serial = $3 order by at desc limit 1`,
    [owner.accountId, id, serial],
  );
  return { alarm: { id } };
}
