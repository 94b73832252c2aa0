import { expect, it } from 'vitest';
import { badgeWidth, placeBadges } from './graph-badges.ts';
import { type GraphNode, nodeSize, place } from './graph-layout.ts';

const node = (key: string, role: GraphNode['role'] = ''): GraphNode => ({ key, name: key, role, pid: '' });
const badge = '123 ms · 1.5%';

it('writes no figure over a box or another figure', () => {
  for (let branches = 1; branches <= 22; branches += 1) {
    const around = Array.from({ length: branches }, (_none, index) => node(`n${index}`));
    const { points } = place(2, [node('main', 'main'), node('bak', 'bak'), ...around]);
    const links = around.flatMap(({ key }) => ['main', 'bak'].map((to) => ({ from: key, to, badge })));
    const spots = [...placeBadges(points, links).values()];
    const apart = (one: { x: number; y: number }, other: { x: number; y: number }, width: number, height: number) =>
      Math.abs(one.x - other.x) >= width || Math.abs(one.y - other.y) >= height;
    spots.forEach((spot, at) => {
      for (const box of points.values())
        expect(apart(spot, box, (badgeWidth(badge) + nodeSize.width) / 2, (18 + nodeSize.height) / 2)).toBe(true);
      for (const other of spots.slice(at + 1)) expect(apart(spot, other, badgeWidth(badge), 18)).toBe(true);
    });
    if (branches <= 8) expect(spots).toHaveLength(branches * 2);
  }
});

it('gives the room to the earlier link', () => {
  const points = new Map([
    ['a', { x: 100, y: 100 }],
    ['b', { x: 380, y: 100 }],
  ]);
  const links = ['1 ms', '2 ms'].map((text) => ({ from: 'a', to: 'b', badge: text }));
  expect([...placeBadges(points, links).keys()].map((link) => link.badge)).toEqual(['1 ms']);
});
