import type { CaptiveGuest, State } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { type HistoryReport, pastDay, pastMoment } from './history.ts';

const hour = 3_600_000;
const midnight = Date.UTC(2026, 10, 20, 16);
const ssids = [
  { name: 'Corp', key: 'as it was before', vlan: null },
  { name: 'Guest', key: null, vlan: 20 },
];

function planOf(kind: 'hotel' | 'office' | 'shop') {
  return { kind, seed: kind, aps: 8, gateways: 1, switches: 1, hoursEast: 8, peoplePerAp: 14, portal: true, ssids };
}

function run(options: Parameters<typeof pastDay>[0]) {
  const simulation = pastDay(options);
  const messages: HistoryReport[] = [];
  for (;;) {
    const { done, value } = simulation.next();
    if (done) return { messages, moment: value };
    messages.push(...value);
  }
}

const statesOf = (messages: readonly HistoryReport[]) =>
  messages.filter(({ method }) => method === 'state').map(({ params }) => params.state as State);

describe.each(['hotel', 'office', 'shop'] as const)('the past of the %s', (kind) => {
  const plan = planOf(kind);
  const day = { ...plan, fromMs: midnight, untilMs: midnight + 24 * hour, fineFromMs: Number.POSITIVE_INFINITY };

  it('ends each day with the people and sessions with which the next begins', () => {
    const { moment } = run(day);
    const next = pastMoment({ ...plan, fromMs: day.untilMs, untilMs: day.untilMs });
    const placed = ({ people }: typeof next) =>
      people.flat().map(({ number, serial, ssid, band, sinceMs }) => ({ number, serial, ssid, band, sinceMs }));
    expect(placed(next).length).toBeGreaterThan(5);
    const before = placed(moment).map((one) => JSON.stringify(one));
    const moved = placed(next).filter((one) => !before.includes(JSON.stringify(one)));
    // an access point without power at that moment sends its clients elsewhere
    expect(new Set(moved.map(({ serial }) => serial)).size).toBeLessThan(2);
    expect(moment.people.flat().map(({ number }) => number)).toEqual(next.people.flat().map(({ number }) => number));
    for (const { sinceMs } of placed(next)) expect(sinceMs).toBeLessThan(day.untilMs);
  });

  it('is the same whether it reports or not', () => {
    const until = { fromMs: midnight, untilMs: midnight + 13 * hour };
    expect(run({ ...plan, ...until, fineFromMs: midnight }).moment).toEqual(pastMoment({ ...plan, ...until }));
  });

  it('begins with a baseline and ends with a report of each device, all of that day', () => {
    const { messages } = run(day);
    const reports = messages.filter(({ method }) => method === 'state');
    const serials = new Set(reports.map(({ serial }) => serial));
    expect(serials.size).toBe(10);
    for (const at of [day.fromMs, day.untilMs - 1000])
      expect(new Set(reports.filter((one) => one.at === at).map(({ serial }) => serial)).size).toBeGreaterThan(8);
    for (const { at } of messages) expect(at >= day.fromMs && at < day.untilMs).toBe(true);
    expect(messages.map(({ at }) => at)).toEqual(messages.map(({ at }) => at).toSorted((a, b) => a - b));
  });
});

it('has guests whom the portal has let through, by a made-up number, and some whom it has not', () => {
  const { messages } = run({
    ...planOf('hotel'),
    fromMs: midnight,
    untilMs: midnight + 13 * hour,
    fineFromMs: midnight,
  });
  const lastly = statesOf(messages.filter(({ at }) => at === midnight + 13 * hour - 1000));
  const guests = lastly.flatMap(({ captive = {} }): CaptiveGuest[] => Object.values(captive));
  const through = guests.filter(({ status }) => status === 'Authenticated');
  expect(through.length).toBeGreaterThan(0);
  expect(through.length).toBeLessThan(guests.length);
  for (const { username } of through) expect(username).toMatch(/^1380013\d{4}$/);
  for (const { status, username } of guests) if (status === 'Garden') expect(username).toBeUndefined();
});
