/** 1 peer, 2 star, 3 tree. */
export type SdwanType = 1 | 2 | 3;

export interface GraphNode {
  key: string;
  name: string;
  role: 'main' | 'bak' | '';
  /** Key of the parent in a tree; `1` or empty otherwise. */
  pid: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  points: ReadonlyMap<string, Point>;
  width: number;
  height: number;
}

/** In units of the drawing. */
export const nodeSize = { width: 180, height: 50 } as const;
const margin = 20;
/** Between boxes, for the figures of a link. */
const linkRoom = 110;
/** Nodes drawn at once; the table lists all. */
export const maxDrawn = 24;

/** Centres, those in `first`, then others, at most `max`; in a tree with ancestors. */
export function nodesToDraw<N extends GraphNode>(
  nodes: readonly N[],
  first: ReadonlySet<string>,
  max: number = maxDrawn,
): N[] {
  if (nodes.length <= max) return [...nodes];
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const rank = ({ key, role }: N) => (role === '' ? (first.has(key) ? 1 : 2) : 0);
  const drawn = new Set<string>();
  for (const node of nodes.toSorted((a, b) => rank(a) - rank(b))) {
    const line = [node.key];
    for (let above = byKey.get(node.pid); above && !line.includes(above.key); above = byKey.get(above.pid))
      line.push(above.key);
    const wanted = line.filter((key) => !drawn.has(key));
    if (drawn.size + wanted.length <= max) for (const key of wanted) drawn.add(key);
  }
  return nodes.filter(({ key }) => drawn.has(key));
}

/** Ring (1), centres in a ring (2), columns by depth (3). */
export function place(type: SdwanType, nodes: readonly GraphNode[]): Layout {
  return cropped(type === 3 ? tree(nodes) : ring(type, nodes));
}

function ring(type: SdwanType, nodes: readonly GraphNode[]): Map<string, Point> {
  const centres = type === 2 ? nodes.filter(({ role }) => role !== '').toSorted(mainFirst) : [];
  const around = nodes.filter((node) => !centres.includes(node));
  const inner = centres.length > 1 ? centres.length * 40 : 0;
  const [rx, ry] = [
    Math.max(310 + inner, around.length * 31),
    Math.max(centres.length > 1 ? 170 : 130, around.length * 21),
  ];
  const points = new Map<string, Point>();
  centres.forEach(({ key }, index) => {
    points.set(key, { x: (index - (centres.length - 1) / 2) * (nodeSize.width + linkRoom), y: 0 });
  });
  around.forEach(({ key }, index) => {
    const angle = angleOf(index, around.length, centres.length);
    points.set(key, { x: rx * Math.cos(angle), y: ry * Math.sin(angle) });
  });
  return points;
}

/** Nodes above and below, not beside, two centres: a link to the farther one would run behind the nearer. */
const maxInArcs = 8;

function angleOf(index: number, around: number, centres: number): number {
  if (centres > 1 && around <= maxInArcs) {
    const above = Math.ceil(around / 2);
    return index < above ? -Math.PI / 2 + along(index, above) : Math.PI / 2 - along(index - above, around - above);
  }
  const first = around <= 2 ? Math.PI : -Math.PI / 2;
  return first + (index / around) * 2 * Math.PI;
}

/** Evenly within 60 degrees to either side. */
const along = (at: number, of: number): number => (of === 1 ? 0 : (at / (of - 1) - 0.5) * ((2 * Math.PI) / 3));

function cropped(points: ReadonlyMap<string, Point>): Layout {
  const [xs, ys] = [[...points.values()].map(({ x }) => x), [...points.values()].map(({ y }) => y)];
  const left = Math.min(...xs) - nodeSize.width / 2 - margin;
  const top = Math.min(...ys) - nodeSize.height / 2 - margin;
  return {
    points: new Map([...points].map(([key, { x, y }]) => [key, { x: x - left, y: y - top }])),
    width: Math.max(...xs) + nodeSize.width / 2 + margin - left,
    height: Math.max(...ys) + nodeSize.height / 2 + margin - top,
  };
}

const mainFirst = (a: GraphNode, b: GraphNode) => (a.role === 'main' ? 0 : 1) - (b.role === 'main' ? 0 : 1);

function tree(nodes: readonly GraphNode[]): Map<string, Point> {
  const keys = new Set(nodes.map(({ key }) => key));
  const points = new Map<string, Point>();
  let row = 0;
  const put = (node: GraphNode, depth: number): number => {
    // the entry stops a cycle of a plan that is not valid yet
    points.set(node.key, { x: 0, y: 0 });
    const rows = nodes
      .filter(({ key, pid }) => pid === node.key && !points.has(key))
      .map((child) => (points.has(child.key) ? row : put(child, depth + 1)));
    const at = rows.length === 0 ? row++ : (rows[0]! + rows.at(-1)!) / 2;
    points.set(node.key, { x: depth * (nodeSize.width + linkRoom), y: at * (nodeSize.height + 14) });
    return at;
  };
  for (const node of nodes) if (!keys.has(node.pid) && !points.has(node.key)) put(node, 0);
  for (const node of nodes) if (!points.has(node.key)) put(node, 0);
  return points;
}
