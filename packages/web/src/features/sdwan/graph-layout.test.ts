import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GraphNode, maxDrawn, nodeSize, nodesToDraw, place, type SdwanType } from './graph-layout.ts';

const node = (key: string, more: Partial<GraphNode> = {}): GraphNode => {
  return { key, name: key, role: '', pid: '', ...more };
};

const plans = fc
  .tuple(fc.constantFrom<SdwanType>(1, 2, 3), fc.array(fc.nat(), { minLength: 1, maxLength: maxDrawn }))
  .map(([type, parents]) => {
    const nodes = parents.map((parent, index) =>
      node(`n${index}`, {
        role: index === 0 && type !== 1 ? 'main' : index === 1 && type === 2 ? 'bak' : '',
        pid: type === 3 && index > 0 ? `n${parent % index}` : '',
      }),
    );
    return { type, nodes };
  });

describe('drawing of an SD-WAN network', () => {
  it('places every node once, inside the drawing, over no other', () => {
    fc.assert(
      fc.property(plans, ({ type, nodes }) => {
        const { points, width, height } = place(type, nodes);
        const spots = nodes.map(({ key }) => points.get(key)!);
        for (const { x, y } of spots) {
          expect(x - nodeSize.width / 2).toBeGreaterThanOrEqual(0);
          expect(y - nodeSize.height / 2).toBeGreaterThanOrEqual(0);
          expect(x + nodeSize.width / 2).toBeLessThanOrEqual(width + 0.001);
          expect(y + nodeSize.height / 2).toBeLessThanOrEqual(height + 0.001);
        }
        spots.forEach((one, at) => {
          for (const other of spots.slice(at + 1)) {
            const apart =
              Math.abs(one.x - other.x) >= nodeSize.width || Math.abs(one.y - other.y) >= nodeSize.height - 0.001;
            expect(apart).toBe(true);
          }
        });
      }),
      { numRuns: 200 },
    );
  });

  it('leaves no room beyond the outermost nodes', () => {
    const nodes = [node('main', { role: 'main' }), node('bak', { role: 'bak' }), node('branch')];
    const { points, height } = place(2, nodes);
    const ys = [...points.values()].map(({ y }) => y);
    expect(height - Math.max(...ys)).toBe(Math.min(...ys));
  });

  it('draws no link of up to 8 branches behind a centre where it does not end', () => {
    for (let branches = 1; branches <= 8; branches += 1) {
      const around = Array.from({ length: branches }, (_none, index) => node(`n${index}`));
      const { points } = place(2, [node('main', { role: 'main' }), node('bak', { role: 'bak' }), ...around]);
      const [main, bak] = [points.get('main')!, points.get('bak')!];
      for (const { key } of around) {
        const from = points.get(key)!;
        const passes = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].some((part) =>
          [[main, bak] as const, [bak, main] as const].some(
            ([to, other]) =>
              Math.abs(from.x + (to.x - from.x) * part - other.x) <= nodeSize.width / 2 &&
              Math.abs(from.y + (to.y - from.y) * part - other.y) <= nodeSize.height / 2,
          ),
        );
        expect([branches, key, passes]).toEqual([branches, key, false]);
      }
    }
  });

  it('draws a plan with a cycle of parents', () => {
    const { points } = place(3, [node('a', { pid: 'b' }), node('b', { pid: 'a' }), node('c', { pid: 'c' })]);
    expect([...points.keys()].toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('draws centres and named nodes of 1,000, with the ancestors of a named one', () => {
    const nodes = Array.from({ length: 1000 }, (_none, index) =>
      node(`n${index}`, { role: index === 999 ? 'main' : '', pid: index === 500 ? 'n700' : 'n999' }),
    );
    const drawn = nodesToDraw(nodes, new Set(['n500'])).map(({ key }) => key);
    expect(drawn.length).toBeLessThanOrEqual(maxDrawn);
    expect(drawn).toEqual(expect.arrayContaining(['n999', 'n500', 'n700']));
  });
});
