import { marksWithin, type Timeline } from './mark.ts';

/** Ends of the shown part, milliseconds. */
export type Zoom = readonly [from: number, to: number];

const hourMs = 3_600_000;
/** Spans of the call, shortest and finest first. */
const spans = [24, 168, 720] as const;

/** Reads `1764200000000-1764230000000`; null for anything else. */
export function readZoom(text: string | undefined): Zoom | null {
  const found = /^(\d{12,14})-(\d{12,14})$/.exec(text ?? '');
  if (!found) return null;
  const [from, to] = [Number(found[1]), Number(found[2])];
  return from < to ? [from, to] : null;
}

export const writeZoom = ([from, to]: Zoom): string => `${from}-${to}`;

/** Returns the shortest, so finest, span that holds the part. */
export function hoursFor(zoom: Zoom | null, hours: (typeof spans)[number], now: number): (typeof spans)[number] {
  if (!zoom) return hours;
  return spans.find((span) => span <= hours && now - span * hourMs <= zoom[0]) ?? hours;
}

/** Cuts lines and events to the buckets of the part; nothing to cut if fewer than two are in it. */
export function zoomed(data: Timeline, zoom: Zoom | null): Timeline {
  if (!zoom) return data;
  const begin = Date.parse(data.from);
  const stepMs = data.step_s * 1000;
  const first = Math.max(0, Math.floor((zoom[0] - begin) / stepMs));
  const after = Math.min(data.down.length, Math.ceil((zoom[1] - begin) / stepMs));
  if (after - first < 2) return data;
  const cut = (line: Timeline['down']) => line.slice(first, after);
  const from = begin + first * stepMs;
  const to = Math.min(begin + after * stepMs, Date.parse(data.as_of));
  return {
    ...data,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    as_of: new Date(to).toISOString(),
    down: cut(data.down),
    up: cut(data.up),
    clients: cut(data.clients),
    score: cut(data.score),
    latency: cut(data.latency),
    loss: cut(data.loss),
    utilization: {
      '2.4G': cut(data.utilization['2.4G']),
      '5G': cut(data.utilization['5G']),
      '6G': cut(data.utilization['6G']),
    },
    marks: marksWithin(data.marks, from, to),
  };
}
