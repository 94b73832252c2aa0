import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endDevices } from '../../../test/conformance/device-client.ts';
import { asOwner } from '../../../test/database.ts';
import { numbered } from '../../../test/numbered.ts';
import {
  call,
  config,
  ended,
  fixture,
  network,
  online,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
  wireless,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

const secret = 'between-us-two';
const server = (more: object = {}) => ({ host: '10.0.0.5', port: 1812, secret, ...more });
const staff = (more: object = {}) =>
  ssid('Staff', {
    security: 'wpa2',
    key: undefined,
    radius: { auth: server(), acct: server({ port: 1813 }) },
    ...more,
  });
const roomKey = 'room-101-only';
const rooms = (more: object = {}) =>
  ssid('Rooms', { keys: [{ label: 'Room-101', key: roomKey, mac: null, vlan: 101 }], ...more });

describe('secrets of an SSID', () => {
  it('reach the access point, and neither an answer, nor the log, nor the database in plain text', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [staff(), rooms()]), 'applied');
    const document = running(device);
    const ssids = JSON.parse(document).interfaces.flatMap((one: { ssids?: object[] }) => one.ssids ?? []);
    expect(ssids).toContainEqual(
      expect.objectContaining({
        encryption: { proto: 'wpa2', ieee80211w: 'optional' },
        radius: {
          authentication: { host: '10.0.0.5', port: 1812, secret },
          accounting: { host: '10.0.0.5', port: 1813, secret, interval: 60 },
        },
      }),
    );
    expect(JSON.parse(document).interfaces).toContainEqual(
      expect.objectContaining({ name: 'VLAN101', vlan: { id: 101 } }),
    );
    expect(ssids).toContainEqual(expect.objectContaining({ 'multi-psk': [{ key: roomKey, 'vlan-id': 101 }] }));
    const shown = JSON.stringify([
      await wireless(gwid),
      await config(identity.serial),
      await call('/api/v3/log/action/list', { keyword: gwid }),
    ]);
    for (const text of [secret, roomKey]) expect(shown).not.toContain(text);
    expect(shown).toContain('Room-101');
    const rows = await asOwner(fixture.server.db.owner, async (client) => {
      const { rows: found } = await client.query(
        'select intent::text || sealed_keys::text as text from wireless_intent',
      );
      return found.map(({ text }: { text: string }) => text).join();
    });
    expect(rows).toContain('Room-101');
    for (const text of [secret, roomKey]) expect(rows).not.toContain(text);
  });

  it('are kept when a save does not bring them, as long as the server is the same one', async () => {
    const { gwid, identity } = await network();
    const device = await online(identity);
    await ended(await save(gwid, 0, [staff(), rooms()]), 'applied');
    const [first, second] = (await wireless(gwid)).ssids as unknown as { id: string; keys: { id: string }[] }[];
    const again = (host: string) => [
      staff({ id: first!.id, hidden: true, radius: { auth: { host, port: 1812 }, acct: null } }),
      rooms({
        id: second!.id,
        key: undefined,
        keys: [{ id: second!.keys[0]!.id, label: 'Suite', mac: null, vlan: 101 }],
      }),
    ];
    expect(await save(gwid, 1, again('10.0.0.6'))).toMatchObject({
      code: 422,
      errors: { 'ssids.0.radius.auth.secret': [expect.any(String)] },
    });
    await ended(await save(gwid, 1, again('10.0.0.5')), 'applied');
    expect(running(device)).toContain(secret);
    expect(running(device)).toContain(roomKey);
  });

  it('go with what uses them: a personal SSID has no RADIUS server', async () => {
    const { gwid } = await network();
    await save(gwid, 0, [staff()]);
    const [staffed] = (await wireless(gwid)).ssids;
    await save(gwid, 1, [ssid('Staff', { id: staffed!.id, radius: { auth: server(), acct: null } })]);
    expect((await wireless(gwid)).ssids[0]).not.toHaveProperty('radius');
  });

  it.each([
    [staff({ radius: undefined }), 'ssids.0.radius.auth.host'],
    [staff({ radius: { auth: server({ secret: undefined }), acct: null } }), 'ssids.0.radius.auth.secret'],
    [rooms({ keys: [{ label: 'A', key: 'short', mac: null, vlan: null }] }), 'ssids.0.keys.0.key'],
    [rooms({ keys: [{ label: 'A', mac: null, vlan: null }] }), 'ssids.0.keys.0.key'],
    [
      rooms({ keys: ['A', 'B'].map((label) => ({ label, key: roomKey, mac: null, vlan: null })) }),
      'ssids.0.keys.1.key',
    ],
    [
      rooms({
        keys: ['AB', 'ab'].map((two) => ({ label: `Room ${two}`, key: two.repeat(32), mac: null, vlan: null })),
      }),
      'ssids.0.keys.1.key',
    ],
    [
      rooms({ keys: ['Till', 'TILL'].map((label) => ({ label, key: `${label}-12345`, mac: null, vlan: null })) }),
      'ssids.0.keys.1.label',
    ],
    [
      ssid('Six', { security: 'wpa2', key: undefined, bands: ['6G'], radius: { auth: server(), acct: null } }),
      'ssids.0.security',
    ],
  ])('name the field that is wrong: %j', async (wrong, field) => {
    const { data } = await call<{ gwid: string }>('/api/v3/network/create', {
      remark: numbered(fixture.owner, 'Wrong'),
    });
    const answer = await save(data.gwid, 0, [wrong]);
    expect(answer.code).toBe(422);
    expect(Object.keys(answer.errors ?? {})).toContain(field);
    expect((await wireless(data.gwid)).version).toBe(0);
  });
});
