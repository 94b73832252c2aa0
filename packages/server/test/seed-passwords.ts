import type { Seed } from '@yunxun/contract';
import type { Registered, TestServer } from './server.ts';

const ssid = (name: string) => ({
  enabled: true,
  name,
  security: 'psk2',
  key: 'welcome-2026',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
});

const plan = {
  cycle: 'daily',
  weekday: 1,
  month_day: 1,
  at: '04:00',
  length: 10,
  charset: 'mixed',
  prefix: '',
  quiet: [],
  notify: false,
  emails: [],
};

export async function makePasswords(
  server: TestServer,
  owner: Registered,
  gwid: string,
): Promise<Pick<Seed, 'password' | 'passwordNetwork'>> {
  const call = async <T>(path: string, body: object): Promise<T> => {
    const answer = await server.call<T>(path, body, owner);
    if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  await call('/api/v3/network/wireless/save', { gwid, version: 0, ssids: [ssid('Guests'), ssid('Staff')], radios: [] });
  const rule = { name: 'Guests', gwids: [gwid], ssid: 'Guests', plan };
  const { id } = await call<{ id: string }>('/api/v3/ac_password/rule/create', rule);
  return { password: { id }, passwordNetwork: { gwid } };
}
