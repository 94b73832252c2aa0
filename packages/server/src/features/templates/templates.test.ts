import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import {
  call,
  expectConfig,
  fixture,
  network,
  online,
  pushes,
  running,
  ssid,
  startFixture,
  stopFixture,
} from '../configuration/testing/fixture.ts';
import { apply, bare, change, detail, device, path, settled, sums, template, update } from './testing/templates.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

describe('a template', () => {
  it('keeps every version, gives no key out, and says what differs between two', async () => {
    const { id, name } = await template([ssid('Guests', { vlan: 30 })]);
    const [first] = (await detail(id)).ssids;
    expect(first).toMatchObject({ name: 'Guests', key_set: true });
    const changed = [{ ...ssid('Visitors', { vlan: 31 }), id: first!.id, key: 'another-2026' }];
    expect(await update(id, name, changed, { country: 'CN' })).toMatchObject({ code: 2000, data: { version: 2 } });
    const diff = await call<{ changes: { path: string; before: unknown; after: unknown }[] }>(`${path}/diff`, {
      id,
      from: 1,
      to: 2,
    });
    expect(diff.data.changes).toEqual(
      expect.arrayContaining([
        { path: '/country', before: null, after: 'CN' },
        { path: '/ssids/Guests/name', before: 'Guests', after: 'Visitors' },
        { path: '/ssids/Guests/vlan', before: 30, after: 31 },
        { path: '/ssids/Guests/key', before: '••••••••', after: '••••••••' },
      ]),
    );
    expect((await call<{ changes: object[] }>(`${path}/diff`, { id, from: 2, to: 2 })).data.changes).toEqual([]);
    expect((await call<{ list: object[] }>(`${path}/versions`, { id })).data.list).toMatchObject([
      { version: 2, devices: 0 },
      { version: 1, devices: 0 },
    ]);
    const log = await call<{ list: object[] }>('/api/v3/log/action/list', { page: 1, limit: 10 });
    expect(JSON.stringify(log.data.list)).not.toMatch(/welcome-2026|another-2026/);
    expect(JSON.stringify(log.data.list)).toContain('keys_changed');
  });

  it('has a name of its own and is saved over the newest version only', async () => {
    const { id, name } = await template([ssid('A')]);
    expect(
      await call(`${path}/create`, { kind: 'wireless', name: name.toUpperCase(), ssids: [], radios: [] }),
    ).toMatchObject({
      code: 4105,
    });
    expect(await call(`${path}/update`, { id, name, version: 7, ssids: [], radios: [] })).toMatchObject({
      code: 4104,
      data: { version: 1 },
    });
    const copy = await call<{ id: string }>(`${path}/copy`, { id, name: `${name}-copy` });
    expect((await detail(copy.data.id)).ssids).toMatchObject([{ name: 'A', key_set: true }]);
    expect(await call(`${path}/delete`, { id: copy.data.id })).toMatchObject({ code: 2000 });
    expect(await call(`${path}/detail`, { id: copy.data.id })).toMatchObject({ code: 4113 });
  });

  it('locks only what it sets, and one of the controller has no SSIDs', async () => {
    const given = { kind: 'wireless', name: 'Locks', ssids: [ssid('A')], radios: [] };
    expect(
      await call(`${path}/create`, { ...given, locks: ['ssids.A', 'ssids.B', 'country', 'nonsense'] }),
    ).toMatchObject({
      code: 422,
      errors: { 'locks.1': expect.anything(), 'locks.2': expect.anything(), 'locks.3': expect.anything() },
    });
    expect(await call(`${path}/create`, { ...given, kind: 'ac' })).toMatchObject({
      code: 422,
      errors: { ssids: expect.anything() },
    });
  });
});

describe('a push', () => {
  it('is previewed, reaches only its targets, sends nothing twice, and rolls back exactly', async () => {
    const { gwid, identity } = await network();
    const ap = await online({ ...identity, port: fixture.server.program.devicePort });
    // capabilities unknown
    await enrol(fixture.server, fixture.owner, { gwid });
    const { id, name } = await template([ssid('Guests')]);
    await settled((await apply(id, { gwids: [gwid] })).data.change_id);
    const before = running(ap);
    const [first] = (await detail(id)).ssids;
    const wanted = [{ ...ssid('Visitors'), id: first!.id }, ssid('Third', { bands: ['6G'], security: 'sae' })];
    await update(id, name, wanted);
    const of = (n: number) => [{ station: `02:00:00:00:00:0${n}`, rssi: -50 }];
    const onSsid = (name: string, associations: object[]) => ({ ssid: name, band: '5G', associations });
    ap.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0', ssids: [onSsid('Guests', of(1))] }] });
    await listedAs(fixture.server, fixture.owner, identity.serial, { online_user: 1 });
    const preview = await call<{
      totals: object;
      ssids: object[];
      unsupported: object[];
      devices: { serial: string }[];
    }>(`${path}/preview`, { id, gwids: [gwid] });
    expect(preview.data).toMatchObject({
      totals: {
        devices: 2,
        changed: 1,
        unknown: 1,
        wrong: 0,
        offline: 1,
        networks: 1,
        first: 0,
        terminals: 1,
        lost: 1,
      },
      ssids: [{ change: 'renamed', name: 'Visitors', before: 'Guests', devices: 1 }],
      unsupported: expect.arrayContaining([expect.objectContaining({ code: 'no_radio', devices: 1 })]),
    });
    expect(running(ap)).toBe(before);
    const one = await call<{ changes: { path: string }[] }>(`${path}/preview_device`, { id, serial: identity.serial });
    expect(one.data.changes.map((each) => each.path)).toContain('/interfaces/WAN/ssids/Guests/name');
    const pushed = await apply(id, { gwids: [gwid] });
    await expect.poll(() => sums(pushed.data.change_id)).toEqual({ total: 2, applied: 1, skipped: 1 });
    expect(running(ap)).toContain('Visitors');
    expect(pushes(ap)).toBe(2);
    const again = await apply(id, { gwids: [gwid] });
    await settled(again.data.change_id);
    expect(await sums(again.data.change_id)).toEqual({ total: 2, skipped: 2 });
    expect(pushes(ap)).toBe(2);
    const back = await call<{ job_id: string; devices: number }>(`${path}/rollback`, {
      change_id: pushed.data.change_id,
    });
    expect(back).toMatchObject({ code: 2000 });
    await settled(pushed.data.change_id);
    await expect.poll(() => bare(running(ap))).toEqual(bare(before));
    expect(await change(pushed.data.change_id)).toMatchObject({ reversed: true });
    expect(await sums(pushed.data.change_id)).toEqual({ total: 2, taken_back: 1, skipped: 1 });
    // an open SSID in place of a protected one is no renaming
    const { key: _key, ...open } = ssid('Welcome', { security: 'open' }) as { key?: string };
    await update(id, name, [open]);
    const other = await call<{ ssids: object[] }>(`${path}/preview`, { id, gwids: [gwid] });
    expect(other.data.ssids).toEqual([
      { change: 'removed', name: 'Guests', before: null, devices: 1 },
      { change: 'added', name: 'Welcome', before: null, devices: 1 },
    ]);
  });

  it('continues in waves while devices are healthy, and stops when they are not', async () => {
    const { gwid, identity } = await network();
    const aps = [{ identity, device: await online({ ...identity, port: fixture.server.program.devicePort }) }];
    for (let more = 0; more < 2; more += 1) aps.push(await device(gwid));
    const { id, name } = await template([ssid('Guests')]);
    const good = await apply(id, { gwids: [gwid] }, { canary: 1, share: 50, rest: 0, stop_above: 0 });
    await settled(good.data.change_id);
    expect(await sums(good.data.change_id)).toEqual({ total: 3, applied: 3 });
    expect((await change(good.data.change_id)).devices.map(({ wave }) => wave).toSorted()).toEqual([0, 1, 1]);

    await update(id, name, [ssid('Visitors')]);
    const bad = await apply(id, { gwids: [gwid] }, { canary: 1, share: 100, rest: 2, stop_above: 0 });
    const [canary] = (await change(bad.data.change_id)).devices.filter(({ wave }) => wave === 0);
    const lost = aps.find((one) => one.identity.serial === canary!.serial)!;
    await expect.poll(() => running(lost.device)).toContain('Visitors');
    await lost.device.cut();
    await settled(bad.data.change_id);
    expect(await sums(bad.data.change_id)).toEqual({ total: 3, applied: 1, cancelled: 2 });
    expect((await change(bad.data.change_id)).rounds).toMatchObject([
      { cause: 'push', stopped: { wave: 1, decided: 1, bad: 0, unwell: [{ reason: 'job.unwell_offline' }] } },
    ]);
    const others = aps.filter((one) => one !== lost);
    for (const one of others) expect(running(one.device)).toContain('Guests');
    // keeps its settings; new devices get the former template
    const late = await device(gwid);
    late.device.state({ unit: { uptime: 1 }, interfaces: [{ name: 'up0v0' }] });
    await expectConfig(late.identity.serial, { state: 'in_sync' });
    expect(running(late.device)).toContain('Guests');

    const on = await call<{ devices: number }>(`${path}/change/resume`, { change_id: bad.data.change_id });
    expect(on.data.devices).toBe(2);
    await settled(bad.data.change_id);
    expect(await sums(bad.data.change_id)).toEqual({ total: 3, applied: 3 });
    for (const one of others) expect(running(one.device)).toContain('Visitors');
    expect(await call(`${path}/change/resume`, { change_id: bad.data.change_id })).toMatchObject({ code: 4109 });
  });

  it('reports what a device rejected, retries, and waits for offline devices', async () => {
    const { gwid, identity } = await network();
    let picky = true;
    const render = () =>
      picky ? { error: 2 as const, rejected: ['[E] not today'] } : { error: 0 as const, rejected: [] };
    await online({ ...identity, port: fixture.server.program.devicePort }, { render });
    const other = await device(gwid);
    await other.device.cut();
    const { id, name } = await template([ssid('Guests')]);
    const pushed = await apply(id, { serials: [identity.serial, other.identity.serial] });
    await expect.poll(() => sums(pushed.data.change_id)).toEqual({ total: 2, rejected: 1, waiting_offline: 1 });
    expect((await change(pushed.data.change_id)).devices).toEqual(
      expect.arrayContaining([expect.objectContaining({ serial: identity.serial, reason: '[E] not today' })]),
    );
    await online(other.identity, { flash: other.device.flash });
    await expect.poll(() => sums(pushed.data.change_id)).toEqual({ total: 2, rejected: 1, applied: 1 });
    picky = false;
    await update(id, name, [ssid('Guests', { hidden: true })]);
    const next = await apply(id, { serials: [identity.serial] });
    await settled(next.data.change_id);
    expect(await sums(next.data.change_id)).toEqual({ total: 1, applied: 1 });
    // superseded, so rolling back changes nothing
    const back = await call<{ job_id: string }>(`${path}/rollback`, { change_id: pushed.data.change_id });
    await settled(pushed.data.change_id);
    const states = (await change(pushed.data.change_id)).devices;
    expect(back.code).toBe(2000);
    expect(states.find(({ serial }) => serial === identity.serial)).toMatchObject({
      status: 'skipped',
      reason: 'job.superseded',
    });
    await expectConfig(identity.serial, { state: 'in_sync' });
  });

  it('continues after a server restart', async () => {
    const { gwid, identity } = await network();
    const first = await online({ ...identity, port: fixture.server.program.devicePort }, { applyMs: 60_000 });
    const { id } = await template([ssid('Guests')]);
    const pushed = await apply(id, { gwids: [gwid] });
    const { params } = await first.command('configure');
    await fixture.server.restart();
    first.flash.active = (params as { uuid: number }).uuid;
    await online({ ...identity, port: fixture.server.program.devicePort }, { flash: first.flash });
    await settled(pushed.data.change_id);
    expect(await sums(pushed.data.change_id)).toEqual({ total: 1, applied: 1 });
    const back = await call(`${path}/rollback`, { change_id: pushed.data.change_id });
    expect(back.code).toBe(2000);
  });
});
