import { describe, expect, it } from 'vitest';
import type { Timeline } from './mark.ts';
import { hoursFor, readZoom, writeZoom, zoomed } from './zoom.ts';

const hour = 3_600_000;
const begin = Date.parse('2026-11-20T00:00:00Z');
const line = Array.from({ length: 24 }, (_, at) => at);

function mark(kind: 'outage' | 'push', at: number, until: number): Timeline['marks'][number] {
  return {
    kind,
    at: new Date(begin + at * hour).toISOString(),
    until: new Date(begin + until * hour).toISOString(),
    cause: null,
    devices: 1,
    failed: 0,
    serial: null,
    name: null,
    job_id: null,
    operator: null,
    alarm: null,
  };
}

const data: Timeline = {
  as_of: new Date(begin + 24 * hour).toISOString(),
  from: new Date(begin).toISOString(),
  to: new Date(begin + 24 * hour).toISOString(),
  step_s: 3600,
  traffic_source: 'wan',
  down: line,
  up: line,
  clients: line,
  utilization: { '2.4G': line, '5G': line, '6G': line },
  score: line,
  latency: line,
  loss: line,
  left_out: 0,
  hidden: [],
  marks: [mark('push', 20, 20), mark('outage', 2, 9), mark('push', 1, 1)],
};

describe('a part of the timeline', () => {
  it('has its buckets and what reaches into it', () => {
    const part = zoomed(data, [begin + 5.5 * hour, begin + 8 * hour]);
    expect(part).toMatchObject({
      down: [5, 6, 7],
      utilization: { '6G': [5, 6, 7] },
      score: [5, 6, 7],
      latency: [5, 6, 7],
      loss: [5, 6, 7],
    });
    expect([part.from, part.as_of].map((at) => Date.parse(at) - begin)).toEqual([5 * hour, 8 * hour]);
    expect(part.marks.map(({ kind }) => kind)).toEqual(['outage']);
  });

  it('is the whole where less than two buckets would be left', () => {
    expect(zoomed(data, [begin + 48 * hour, begin + 50 * hour])).toBe(data);
    expect(zoomed(data, [begin, begin + 60_000])).toBe(data);
  });

  it('is read from the shortest span that holds it', () => {
    const now = begin + 30 * 24 * hour;
    const at = (hours: number) => [now - hours * hour, now - hours * hour + hour] as const;
    expect([10, 100, 600].map((hours) => hoursFor(at(hours), 720, now))).toEqual([24, 168, 720]);
    expect(hoursFor(at(100), 24, now)).toBe(24);
    expect(hoursFor(null, 168, now)).toBe(168);
  });

  it('is kept in the address', () => {
    expect(readZoom(writeZoom([begin, begin + hour]))).toEqual([begin, begin + hour]);
    for (const text of [undefined, '', '5-9', writeZoom([begin, begin])]) expect(readZoom(text)).toBeNull();
  });
});
