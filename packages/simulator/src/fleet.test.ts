import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State } from '@yunxun/contract/device';
import { ManualClock } from '@yunxun/edge';
import { describe, expect, it } from 'vitest';
import { configure, fleetFixture } from './fleet-fixture.ts';
import { pastMoment, pastPace } from './history.ts';
import { wirelessDocument } from './testing.ts';

const fixture = fleetFixture();
const { start, one } = fixture;

function sameNetworks(uuid: number) {
  const { radios, metrics } = wirelessDocument(uuid);
  const ssid = (name: string, isolate: boolean, encryption: object) => ({
    encryption,
    name,
    'wifi-bands': ['2G', '5G'],
    'bss-mode': 'ap',
    'access-control-list': { mode: 'deny', 'mac-address': [] },
    'hidden-ssid': false,
    'isolate-clients': isolate,
  });
  const staff = ssid('Corp', false, { ieee80211w: 'optional', key: 'as it was before', proto: 'psk2' });
  const ethernet = [{ 'select-ports': ['WAN*'] }];
  const interfaces = [
    { name: 'WAN', role: 'upstream', ethernet, ipv4: { addressing: 'dynamic' }, ssids: [staff] },
    { name: 'VLAN20', role: 'upstream', vlan: { id: 20 }, ethernet, ssids: [ssid('Guest', true, { proto: 'none' })] },
  ];
  return { uuid, metrics, radios: (radios as object[]).map((radio) => ({ ...radio, channel: 'auto' })), interfaces };
}

it('goes on with the people of a past, whose sessions outlast equal networks from the console', async () => {
  const past = {
    kind: 'hotel' as const,
    seed: 'hotel',
    aps: 1,
    gateways: 0,
    switches: 0,
    hoursEast: 8,
    peoplePerAp: 20,
  };
  const former = [
    { name: 'Corp', key: 'as it was before', vlan: null },
    { name: 'Guest', key: null, vlan: 20 },
  ];
  const untilMs = Date.now();
  const moment = pastMoment({ ...past, ssids: former, fromMs: untilMs - 5 * 3_600_000, untilMs });
  const people = moment.people.flat();
  const fleet = await start({ ...past, moment, former, pace: pastPace });
  const [session] = fixture.console.sessions;
  const listed = async (after = 0) => {
    const { interfaces = [] } = (await session!.message('state', after)).params.state as State;
    return interfaces.flatMap((entry) => (entry.ssids ?? []).flatMap(({ associations = [] }) => associations));
  };
  const first = await listed();
  expect(first).toHaveLength(people.length);
  expect(first.filter(({ connected = 0 }) => connected > 600).length).toBeGreaterThan(people.length / 2);
  expect((await session!.message('connect')).params.reason).toBe('socket');
  await session!.command('configure', { uuid: 2, config: sameNetworks(2) });
  const known = new Set(first.map(({ station }) => station));
  const after = session!.messages.length;
  fleet.report();
  const next = await listed(after);
  expect(next.filter(({ station, connected = 0 }) => known.has(station) && connected > 600).length).toBeGreaterThan(
    people.length / 2,
  );
});

it('waits for no reports after its end', async () => {
  await fixture.open();
  const moment = { booted: {}, people: [] };
  // no device reaches this port, and no time passes
  const silent = { aps: 1, moment, devicePort: 1, clock: new ManualClock(Date.now()) };
  const fleet = await fixture.startAgain({ ...silent, signal: AbortSignal.abort() });
  expect(fleet.status()).toMatchObject([{ online: false }]);
});

describe('a fleet', () => {
  it('enrols gateways first and connects everything under SIM serials', async () => {
    const { devices } = await start({ aps: 3, gateways: 1, switches: 1 });
    expect(devices).toHaveLength(5);
    expect(fixture.console.enrolments[0]).toMatchObject({ platform: 'ap', model: 'Simulated Gateway G4' });
    const serials = fixture.console.sessions.map((session) => session.commonName);
    expect(new Set(serials).size).toBe(5);
    for (const serial of serials) expect(serial).toMatch(/^53494d[0-9a-f]{6}$/);
    const platforms = await Promise.all(
      fixture.console.sessions.map(async (session) => {
        const { params } = await session.message('connect');
        return (params.capabilities as { platform: string }).platform;
      }),
    );
    expect(platforms.toSorted()).toEqual(['ap', 'ap', 'ap', 'ap', 'switch']);
  });

  it('cycles through the requested models, each with its capabilities', async () => {
    await start({ aps: 4, models: ['AXE5400', 'AX1800'] });
    const logged = await Promise.all(
      fixture.console.sessions.map(async (session) => {
        const { params } = await session.message('connect');
        const { model, wifi } = params.capabilities as { model: string; wifi: Record<string, { band: string[] }> };
        return [model, ...Object.values(wifi).flatMap(({ band }) => band)].join(' ');
      }),
    );
    const [six, five] = ['Simulated AP AXE5400 5G 2G 6G', 'Simulated AP AX1800 5G 2G'];
    expect(logged.toSorted()).toEqual([five, five, six, six]);
  });

  it('has exactly the requested number of clients, also after the network is renamed', async () => {
    const { devices } = await start({ aps: 2, crowd: 7 });
    const [session, other] = fixture.console.sessions;
    await Promise.all([session!.message('connect'), other!.message('connect')]);
    const here = () => devices.reduce((sum, { status }) => sum + status.stations, 0);
    for (const [uuid, name] of [
      [5, 'Corp'],
      [6, 'Guests'],
    ] as const) {
      for (const end of [session!, other!]) await configure(end, uuid, [name]);
      devices[0]!.box.place.advance(Date.now() + 600_000 * uuid);
      expect(here()).toBe(7);
    }
    expect(devices.every(({ status }) => status.ssids.join() === 'Guests')).toBe(true);
  });

  it('rejects when the console refuses a device', async () => {
    await fixture.open({ refusals: [{ status: 200, body: { code: 4113, message: 'no such code' } }] });
    await expect(fixture.startAgain({ bindingCode: 'BAD', seed: 's', aps: 1 })).rejects.toThrow(/4113/);
  });

  it('comes back as itself from its folder, without enrolling again', async () => {
    const folder = fixture.folder();
    const { session, serial, fleet } = await one({ folder });
    expect(await configure(session, 1000)).toMatchObject({ uuid: 1000 });
    fleet.stop();
    const again = fixture.console.session(serial);
    await fixture.startAgain({ aps: 1, folder });
    const back = await again;
    expect((await back.message('connect')).params).toMatchObject({ serial, uuid: 1000 });
    expect(fixture.console.enrolments).toHaveLength(1);
    // it was off: clock and counters restart
    const { state } = (await back.message('state')).params as { state: { unit: { uptime: number } } };
    expect(state.unit.uptime).toBeLessThan(60);
  });

  it('that ran on has its uptime, and comes back as after a lost link', async () => {
    const folder = fixture.folder();
    const { serial, fleet } = await one({ folder });
    fleet.stop();
    const file = join(folder, `${serial}.json`);
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { bootedMs: number };
    writeFileSync(file, JSON.stringify({ ...kept, bootedMs: kept.bootedMs - 7_200_000 }));
    const again = fixture.console.session(serial);
    await fixture.startAgain({ aps: 1, folder, ranOn: true });
    const back = await again;
    expect((await back.message('connect')).params).toMatchObject({ reason: 'socket' });
    const { state } = (await back.message('state')).params as { state: { unit: { uptime: number } } };
    expect(state.unit.uptime).toBeGreaterThan(7190);
  });
});
