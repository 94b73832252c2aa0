import { expect, test } from 'vitest';
import { extract } from '../extract/index.ts';
import { applyItems, type Item, type Pace } from './batch.ts';
import { emptyPresence } from './client-session.ts';
import type { Device } from './devices.ts';
import type { Written } from './rows/written.ts';

const begin = Date.parse('2026-11-21T10:00:00Z');
const [bssid, phone] = ['903cb3000011', '3c22fb000001'];

const newDevice = (serial: string): Device => ({
  accountId: 'a',
  serial,
  epoch: 1,
  known: null,
  committedAt: null,
  heardAt: 0,
  wholeAt: 0,
  lately: [],
  nearby: new Map(),
  hour: 0,
  boundAt: 0,
  absentSince: null,
  presence: emptyPresence(),
});

function item(minute: number): Item {
  const association = { station: phone, connected: 3600 + minute * 60, tx_bytes: minute * 100, rx_bytes: minute };
  const params = {
    state: {
      unit: { uptime: 7200 + minute * 60, localtime: begin / 1000 + minute * 60 },
      interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'S', bssid, band: '5G', associations: [association] }] }],
    },
  };
  return {
    id: minute,
    accountId: 'a',
    serial: 'x',
    epoch: 1,
    at: begin + minute * 60_000,
    inflated: 0,
    event: null,
    report: extract(params),
    raw: { bytes: Buffer.from('{}'), deflated: false },
  };
}

function play(pace: Pace, serial = '903cb3000012') {
  const device = newDevice(serial);
  const minutes = Array.from({ length: 120 }, (_, minute) => [item(minute)]);
  return [...minutes, []].map((items) => {
    const out: Written = {
      rows: { in_device: [], in_sample: [], in_revision: [], in_session: [], in_share: [] },
      clamped: 0,
      days: new Set(),
    };
    applyItems(device, items, pace, () => null, out);
    return out.rows;
  });
}

test.each([
  ['every minute', { whole: true, sessionEvery: 60_000 }, 120, 120],
  ['every quarter of an hour', { whole: false, sessionEvery: 900_000 }, 11, 24],
])('totals that are written %s add up, each in its own quarter', (_how, pace, maxSessions, maxWhole) => {
  const rows = play(pace);
  const shares = rows.flatMap(({ in_share }) => in_share);
  expect(shares.reduce((sum, share) => sum + Number(share[6]), 0)).toBe(11_900);
  const quarters = new Map<number, number>();
  for (const [, , , bucket, from, to, down] of shares as [string, string, string, Date, Date, Date, number][]) {
    quarters.set(bucket.getTime(), (quarters.get(bucket.getTime()) ?? 0) + down);
    expect(to.getTime() - bucket.getTime()).toBeLessThan(900_000);
    expect(from.getTime()).toBeLessThanOrEqual(to.getTime());
  }
  // covers the minute before, counts at its arrival
  expect([...quarters]).toEqual(Array.from({ length: 8 }, (_, n) => [begin + n * 900_000, n === 0 ? 1400 : 1500]));
  const sessions = rows.flatMap(({ in_session }) => in_session);
  expect(sessions.length).toBeLessThanOrEqual(maxSessions);
  expect(sessions.at(-1)?.[19]).toBe(11_900);
  const whole = rows.flatMap(({ in_device }) => in_device).filter((row) => row[7] !== null);
  expect(whole.length).toBeLessThanOrEqual(maxWhole);
  expect(whole.length).toBeGreaterThan(20);
});

test('devices of a large house take turns', () => {
  const firstTurn = (serial: string) =>
    play({ whole: false, sessionEvery: 900_000 }, serial).findIndex(
      ({ in_session }, minute) => minute > 0 && in_session.length > 0,
    );
  const turns = new Set(['903cb3000000', '903cb30000c8', '903cb3000190', '903cb3000258'].map(firstTurn));
  expect(turns.size).toBeGreaterThan(2);
});
