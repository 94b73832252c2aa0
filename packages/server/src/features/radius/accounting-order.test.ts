import { describe, expect, it } from 'vitest';
import { type Report, type Settled, settle } from './accounting-order.ts';
import type { SessionTable } from './tables.ts';

const began = new Date('2026-11-28T08:00:00Z').getTime();
const gib = 2 ** 30;

interface Sent {
  status?: Report['row']['status'];
  /** Seconds of the arrival; default: a minute after the report before. */
  at?: number;
  up?: number | null;
  down?: number | null;
  delay?: number;
  event?: number | null;
  seconds?: number;
  username?: string;
}

function reportOf(sent: Sent, minute: number): Report {
  const { status = 'interim', at = minute * 60, up = 0, down = 0, delay = 0, event = null } = sent;
  const arrival = new Date(began + at * 1000);
  return {
    row: {
      account_id: 'a',
      nas_id: 'n',
      origin: '',
      session_id: 's',
      gwid: 'g',
      serial: null,
      address: null,
      status,
      username: sent.username ?? 'guest',
      mac: null,
      ip: null,
      seconds: sent.seconds ?? minute * 60,
      event_time: event,
      sent_at: new Date(arrival.getTime() - delay * 1000),
      at: arrival,
    },
    up,
    down,
    delaySeconds: delay,
  };
}

function settleAll(sent: readonly Sent[], wraps = true): Settled[] {
  let state: SessionTable | undefined;
  return sent.map((one, at) => {
    const settled = settle(state, reportOf(one, at), wraps);
    state = settled.row;
    return settled;
  });
}

const totals = (sent: readonly Sent[], wraps = true) => settleAll(sent, wraps).map(({ row }) => row.down_bytes);
const last = (sent: readonly Sent[], wraps = true) => settleAll(sent, wraps).at(-1)!;

describe('the totals of a session', () => {
  it.each([
    ['set back', [60, 30, 10]],
    ['omitted', [0, 0, 0]],
    ['jump', [60, 86_400, 120]],
  ])('follow the counters when the seconds are %s', (_, seconds) => {
    const sent = seconds.map((at, n) => ({ seconds: at, down: [10, 50, 100][n]! }));
    expect(totals(sent)).toEqual([10, 50, 100]);
    expect(settleAll(sent).every(({ isNews, oddity }) => isNews && oddity === null)).toBe(true);
  });

  it('stay at a report without octets, which is a sign of life and is noted', () => {
    expect(last([{ down: 10 }, { up: null, down: null }])).toMatchObject({
      isNews: true,
      oddity: 'no_octets',
      row: { down_bytes: 10 },
    });
  });

  it('cross 4 GiB where a client without Gigawords begins anew', () => {
    expect(totals([{ down: 3.5 * gib }, { down: 1 * gib }, { down: 2 * gib }])).toEqual([3.5 * gib, 5 * gib, 6 * gib]);
    expect(last([{ down: 3.5 * gib }, { down: 1 * gib }]).oddity).toBeNull();
  });

  it.each<[string, Sent[], boolean, number]>([
    ['the client sends Gigawords', [{ down: 3.5 * gib }, { down: 1 * gib }], false, 4.5 * gib],
    ['the last total is below 2^31', [{ down: 1.9 * gib }, { down: 0.1 * gib }], true, 2 * gib],
    ['the fall is below 2^31', [{ down: 3 * gib }, { down: 2 * gib }], true, 5 * gib],
  ])('begin anew, and not at 4 GiB, when %s', (_, sent, wraps, expected) => {
    const { row, oddity } = last(sent, wraps);
    expect([Math.round(row.down_bytes), oddity]).toEqual([Math.round(expected), 'counter_fell']);
  });

  it('count both directions anew when one has fallen', () => {
    const { row } = last([
      { up: 100, down: 5 },
      { up: 10, down: 50 },
      { up: 11, down: 52 },
    ]);
    expect([row.up_bytes, row.down_bytes]).toEqual([111, 57]);
  });

  it.each<[string, Sent[]]>([
    [
      'Event-Timestamp',
      [
        { down: 100, event: 2000 },
        { down: 60, event: 1940 },
      ],
    ],
    [
      'Event-Timestamp, above 2^31',
      [
        { down: 3.5 * gib, event: 2000 },
        { down: gib, event: 1940 },
      ],
    ],
    [
      'Acct-Delay-Time',
      [
        { down: 100, at: 60 },
        { down: 60, at: 65, delay: 30 },
      ],
    ],
  ])('stay at a report that was overtaken, by %s', (_, sent) => {
    expect(last(sent)).toMatchObject({ oddity: null, row: { down_bytes: sent[0]!.down } });
    expect(totals([...sent, { down: sent[0]!.down! + 7, event: 2060 }]).at(-1)).toBe(sent[0]!.down! + 7);
  });

  it('begin anew at a later report, by Event-Timestamp, and at one that was delayed less than the time since', () => {
    expect(
      last([
        { down: 100, event: 2000 },
        { down: 60, event: 2060 },
      ]).row.down_bytes,
    ).toBe(160);
    expect(
      last([
        { down: 100, at: 60 },
        { down: 60, at: 120, delay: 5 },
      ]).row.down_bytes,
    ).toBe(160);
  });

  it('count from a later start of an open session', () => {
    const sent = [
      { down: 100, event: 2000 },
      { status: 'start' as const, event: 2030 },
      { down: 150, event: 2060 },
    ];
    expect(totals(sent)).toEqual([100, 100, 250]);
    const repeated = [
      { status: 'start' as const, event: 1990 },
      { down: 100, event: 2000 },
    ];
    expect(totals([...repeated, repeated[0]!, { down: 150, event: 2060 }])).toEqual([0, 100, 100, 150]);
  });
});

describe('a session that has stopped', () => {
  const stopped: Sent[] = [{ down: 50 }, { status: 'stop', down: 100 }];

  it('takes a repeated stop and a late report without news, and what they add', () => {
    expect(last([...stopped, { status: 'stop', down: 100 }])).toMatchObject({ isNews: false });
    expect(last([...stopped, { down: 60 }])).toMatchObject({ isNews: false, row: { status: 'stop', down_bytes: 100 } });
    expect(last([...stopped, { down: 130 }])).toMatchObject({ isNews: true, row: { status: 'stop', down_bytes: 130 } });
  });

  it('goes on when reports come five minutes after it, or later by Event-Timestamp', () => {
    expect(last([...stopped, { down: 130, at: 400 }])).toMatchObject({ row: { status: 'interim', down_bytes: 130 } });
    const timed = [
      { status: 'stop' as const, down: 100, event: 2000 },
      { down: 130, event: 2001 },
    ];
    expect(last(timed)).toMatchObject({ row: { status: 'interim', down_bytes: 130 } });
  });

  it('gives its id to another guest, whose totals begin at zero under another counter', () => {
    const { row, isNews } = last([...stopped, { down: 30, username: 'other' }]);
    expect([isNews, row.down_bytes, row.begun]).toEqual([true, 30, 1]);
  });

  it('begins anew with a later start', () => {
    const sent = [
      { status: 'stop' as const, down: 100, event: 2000 },
      { status: 'start' as const, event: 2010 },
    ];
    expect(last(sent)).toMatchObject({ isNews: true, row: { status: 'start', down_bytes: 0, begun: 1 } });
  });
});
