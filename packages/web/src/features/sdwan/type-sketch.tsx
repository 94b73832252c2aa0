import type { SdwanType } from './graph-layout.ts';

type Point = readonly [x: number, y: number];
interface Sketch {
  nodes: readonly Point[];
  /** By index; centres first. */
  links: readonly (readonly [from: number, to: number])[];
  /** Idle ones. */
  spare: readonly (readonly [from: number, to: number])[];
  centres: number;
}

const box = { width: 22, height: 14 } as const;

const sketches: Record<SdwanType, Sketch> = {
  1: {
    nodes: [
      [80, 16],
      [136, 52],
      [112, 92],
      [48, 92],
      [24, 52],
    ],
    links: [0, 1, 2, 3, 4].flatMap((from) => [0, 1, 2, 3, 4].flatMap((to) => (to > from ? [[from, to] as const] : []))),
    spare: [],
    centres: 0,
  },
  2: {
    nodes: [
      [62, 50],
      [102, 50],
      [20, 16],
      [20, 88],
      [140, 16],
      [140, 88],
    ],
    links: [2, 3, 4, 5].map((branch) => [branch, 0] as const),
    spare: [[0, 1], ...[2, 3, 4, 5].map((branch) => [branch, 1] as const)],
    centres: 2,
  },
  3: {
    nodes: [
      [80, 14],
      [42, 52],
      [118, 52],
      [22, 92],
      [62, 92],
      [118, 92],
    ],
    links: [
      [1, 0],
      [2, 0],
      [3, 1],
      [4, 1],
      [5, 2],
    ],
    spare: [],
    centres: 1,
  },
};

export function TypeSketch({ type }: { type: SdwanType }) {
  const { nodes, links, spare, centres } = sketches[type];
  const path = (pairs: Sketch['links']) =>
    pairs.map(([from, to]) => `M${nodes[from]!.join(' ')}L${nodes[to]!.join(' ')}`).join('');
  return (
    <svg className="sdwan-sketch" viewBox="0 0 160 108" aria-hidden="true">
      <path d={path(links)} className="sdwan-sketch-link" />
      <path d={path(spare)} className="sdwan-sketch-link sdwan-sketch-spare" />
      {nodes.map(([x, y], at) => (
        <rect
          key={`${x} ${y}`}
          x={x - box.width / 2}
          y={y - box.height / 2}
          {...box}
          rx="3"
          className={at < centres ? 'sdwan-sketch-node sdwan-sketch-centre' : 'sdwan-sketch-node'}
        />
      ))}
    </svg>
  );
}
