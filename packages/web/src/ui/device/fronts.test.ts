import { expect, test } from 'vitest';
import { pictureOf } from './fronts.ts';
import { drawnKinds } from './glyphs.ts';
import type { DrawnPort } from './ports.ts';
import type { Picture } from './shapes.ts';

const port = (name: string, more: Partial<DrawnPort> = {}): DrawnPort => ({
  name,
  uplink: false,
  up: false,
  speed: null,
  watts: null,
  ...more,
});
const up = { up: true, speed: 1000 };
const switchOf = (count: number) =>
  Array.from({ length: count }, (_, at) => port(`Ethernet${at}`, at % 3 === 0 ? up : {}));
const figures = ({ shapes }: Picture, paint: string) =>
  shapes.filter((shape) => shape.paint === paint).reduce((sum, { d }) => sum + d.split('M').length - 1, 0);

test('a switch has a socket for each port, filled where there is a link', () => {
  const paints = { small: ['upDot', 'downDot'], large: ['up', 'down'] } as const;
  for (const detail of ['small', 'large'] as const) {
    const picture = pictureOf('switch', switchOf(26), detail);
    expect(paints[detail].map((paint) => figures(picture, paint))).toEqual([9, 17]);
    // sockets of one state are one path: a page has hundreds of devices
    expect(picture.shapes.length).toBeLessThanOrEqual(6);
  }
});

test('the front of a switch counts from the left, the odd row below the even one', () => {
  const { labels, width } = pictureOf('switch', switchOf(4), 'large');
  expect(labels.map(({ text }) => text)).toEqual(['0', '1', '2', '3']);
  const [zero, one, two] = labels;
  expect([zero!.x === one!.x, zero!.y < one!.y, two!.x > zero!.x]).toEqual([true, true, true]);
  expect(Math.max(...labels.map(({ x }) => x))).toBeLessThan(width);
});

test('a gateway has its WAN ports first, apart from the others', () => {
  const ports = [port('LAN1', up), port('LAN2'), port('WAN1', { ...up, uplink: true }), port('WAN2', { uplink: true })];
  const { labels } = pictureOf('gateway', ports, 'large');
  expect(labels.map(({ text }) => text)).toEqual(['WAN1', 'WAN2', 'LAN1', 'LAN2']);
  const [first, second, third, fourth] = labels.map(({ x }) => x) as [number, number, number, number];
  expect(third - second).toBeGreaterThan(second - first);
  expect(fourth - third).toBeCloseTo(second - first);
});

test('sockets of a small front stay inside it, however many there are', () => {
  for (const kind of ['switch', 'gateway'] as const) {
    const { shapes, width, height } = pictureOf(kind, switchOf(54), 'small');
    const numbers = shapes
      .filter(({ paint }) => paint === 'upDot' || paint === 'downDot')
      .flatMap(({ d }) => [...d.matchAll(/M([\d.]+) [\d.]+H([\d.]+)V([\d.]+)/g)])
      .map(([, left, right, bottom]) => [Number(left), Number(right), Number(bottom)] as const);
    expect(numbers).toHaveLength(54);
    for (const [left, right, bottom] of numbers) {
      expect(left).toBeGreaterThan(1);
      expect(right).toBeLessThan(width - 4);
      expect(bottom).toBeLessThan(height);
    }
  }
});

test('each kind has a drawing of its own, also without a port list', () => {
  const signs = drawnKinds.map((kind) =>
    pictureOf(kind, [], 'large')
      .shapes.map(({ d }) => d)
      .join(),
  );
  expect(new Set(signs).size).toBe(drawnKinds.length);
});
