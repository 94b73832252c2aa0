import { expect } from 'vitest';
import { host } from '../../../../test/seed.ts';
import { seedPerson } from '../../../../test/seed-account.ts';
import { makeTelemetry, type Telemetry } from '../../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

export const now = new Date('2026-11-21T04:30:00Z');
const clock = { now: () => now };
export const at = (day: string, time: string) => new Date(`2026-${day}T${time}:00+08:00`);
export const mac = (n: number) => `00005e00530${n}`;

interface Places {
  telemetry: Telemetry;
  lobby: string;
  cafe: string;
  devices: Record<'a1' | 'a2' | 's1' | 'g1' | 'c1', string>;
}

export interface TwoNetworks extends Places {
  server: TestServer;
  owner: Registered;
  /** May read the statistics of the cafe only. */
  guest: As;
  /** `as`: the owner by default. */
  ask<T>(path: string, input?: unknown, as?: As): Promise<T>;
}

export async function startTwoNetworks(): Promise<TwoNetworks> {
  const server = await startTestServer({ clock });
  const owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  const [lobby, cafe] = [await telemetry.network('Lobby'), await telemetry.network('Cafe')];
  await telemetry.network('Empty');
  const devices = {
    a1: await telemetry.device(lobby, { kind: 'ap', online: true, terminals: 2 }),
    a2: await telemetry.device(lobby, { kind: 'ap', online: false, terminals: 7 }),
    s1: await telemetry.device(lobby, { kind: 'switch', online: true }),
    g1: await telemetry.device(cafe, { kind: 'ap', online: true, gateway: true, terminals: 2 }),
    c1: await telemetry.device(cafe, { kind: 'ap', online: true }),
  };
  await writeReports({ telemetry, lobby, cafe, devices });
  await writeUsers({ telemetry, lobby, cafe, devices });
  const person = await seedPerson(server);
  await host(server, owner.accountId, person.accountId, ['statistics.read'], [cafe]);
  const guest = { token: person.token, account: owner.accountId };
  return {
    server,
    owner,
    lobby,
    cafe,
    devices,
    guest,
    telemetry,
    async ask<T>(path: string, input: unknown = {}, as: As = owner): Promise<T> {
      const answer = await server.call<T>(`/api/v3/user_stat/${path}`, input, as);
      expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 2000 });
      return answer.data;
    },
  };
}

async function writeReports({ telemetry, lobby, cafe, devices: { a1, s1, g1, c1 } }: Places): Promise<void> {
  const inLobby = (serial: string, time: Date) => ({ serial, gwid: lobby, at: time });
  const inCafe = (serial: string, time: Date) => ({ serial, gwid: cafe, at: time });
  await telemetry.reports(
    { ...inLobby(a1, at('10-12', '10:00')), wan_down: 1000, wan_up: 100 },
    { ...inLobby(a1, at('11-18', '23:30')), wan_down: 2000, wan_up: 200, down_2g: 300, up_2g: 30 },
    { ...inLobby(a1, at('11-20', '05:59')), wan_down: 4000, wan_up: 400 },
    // traffic of the switch has passed an access point
    { ...inLobby(s1, at('11-20', '05:59')), wan_down: 9999, wan_up: 9999 },
    { ...inCafe(g1, at('11-20', '05:58')), wan_down: 8000, wan_up: 800 },
    // traffic behind the gateway passes the gateway
    { ...inCafe(c1, at('11-20', '05:58')), wan_down: 7000, wan_up: 700, down_5g: 600, up_5g: 60 },
    { ...inLobby(a1, at('11-21', '00:00')), wan_down: 16_000, wan_up: 0, down_5g: 100, up_5g: 10 },
    {
      ...inCafe(g1, at('11-21', '12:29')),
      wan_down: 32_000,
      wan_up: 3200,
      down_6g: 40,
      up_6g: 4,
      down_2g: 20,
      up_2g: 2,
    },
  );
}

async function writeUsers({ telemetry, lobby, cafe, devices: { a1, a2, g1, c1 } }: Places): Promise<void> {
  const [today, yesterday] = ['2026-11-21', '2026-11-20'];
  const seen = (first: Date, last = now) => ({ firstSeen: first, lastSeen: last });
  await telemetry.user(mac(1), { ...seen(at('11-18', '23:30')), type: 'ios', brand: 'Apple' });
  await telemetry.user(mac(2), { ...seen(at('11-21', '09:00')), type: 'android', brand: 'Xiaomi' });
  await telemetry.user(mac(3), { ...seen(at('10-12', '10:00')), type: 'android', brand: 'Huawei' });
  await telemetry.user(mac(4), { ...seen(at('11-20', '05:00')), type: 'windows' });
  await telemetry.user(mac(5), { ...seen(at('10-12', '10:00'), at('11-21', '08:00')), randomMac: true });
  await telemetry.user(mac(6), { ...seen(at('11-21', '10:00'), at('11-21', '10:01')), type: 'mac', brand: 'Apple' });
  // known, but not seen in the last 30 days
  await telemetry.user(mac(7), { ...seen(at('10-12', '10:00'), at('10-12', '11:00')), type: 'ios', brand: 'Apple' });

  await telemetry.present(mac(1), { serial: a1, gwid: lobby, band: 5, authenticated: true });
  await telemetry.present(mac(2), { serial: a1, gwid: lobby, band: 2 });
  // the gateway also sees this client on its cable
  await telemetry.present(mac(3), { serial: c1, gwid: cafe, band: 5 });
  await telemetry.present(mac(3), { serial: g1, gwid: cafe, band: 0 });
  await telemetry.present(mac(4), { serial: g1, gwid: cafe, band: 6 });
  // present when the access point went offline
  await telemetry.present(mac(5), { serial: a2, gwid: lobby, band: 2 });

  const visit = (n: number, day: string, gwid: string, seconds: number, hours: number[], more = {}) =>
    telemetry.visited(mac(n), { day, gwid, seconds, hours, ...more });
  await visit(1, today, lobby, 1799, [11, 12], { authenticated: true });
  await visit(2, today, lobby, 1800, [9], { isNew: true });
  await visit(3, today, cafe, 3600, [12]);
  await visit(4, today, cafe, 7200, [10, 11, 12]);
  await visit(5, today, lobby, 14_400, [4, 5, 6, 7, 8]);
  await visit(6, today, lobby, 60, [10], { isNew: true, authenticated: true });
  await visit(1, yesterday, lobby, 600, [20]);
  await visit(4, yesterday, cafe, 600, [5], { isNew: true });
  await visit(1, '2026-11-18', lobby, 600, [23], { isNew: true });
  for (const [n, gwid] of [
    [3, cafe],
    [5, lobby],
    [7, cafe],
  ] as const) {
    await visit(n, '2026-10-12', gwid, 600, [10], { isNew: true });
  }
}
