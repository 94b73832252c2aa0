import { beforeAll, expect, it } from 'vitest';
import { install } from '../../app/i18n.ts';
import { networkTimeline } from '../../messages/en/network-timeline.ts';
import { colorOf } from '../../ui/chart/frame.tsx';
import type { Timeline } from './mark.ts';
import { legendOf, panelsOf } from './panels.ts';

beforeAll(() => install('en', networkTimeline));

const line = [1, 2];
const data: Timeline = {
  as_of: '2026-11-20T02:00:00Z',
  from: '2026-11-20T00:00:00Z',
  to: '2026-11-20T02:00:00Z',
  step_s: 3600,
  traffic_source: 'wan',
  down: line,
  up: line,
  clients: line,
  score: line,
  latency: line,
  loss: line,
  utilization: { '2.4G': line, '5G': line, '6G': line },
  marks: [],
  left_out: 0,
  hidden: [],
};

it('gives each entry of the legend a colour of its own', () => {
  const colors = legendOf(panelsOf(data).panels).map(({ color }) => colorOf(color));
  expect(colors.length).toBeGreaterThan(2);
  expect(new Set(colors).size).toBe(colors.length);
});

it('says which sources are missing, one sentence each', () => {
  const none = [null, null];
  const missing = {
    clients: none,
    latency: none,
    loss: none,
    utilization: { '2.4G': none, '5G': none, '6G': none },
  };
  const sentences = (timeline: Timeline) => panelsOf(timeline).notes.length;
  expect(sentences({ ...data, ...missing }) - sentences(data)).toBe(3);
});
