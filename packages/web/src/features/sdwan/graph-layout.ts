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

/** Size of a node, in units of the drawing. */
export const nodeSize = { width: 156, height: 44 } as const;
const margin = 20;
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
  if (type === 3) return tree(nodes);
  const centres = type === 2 ? nodes.filter(({ role }) => role !== '').toSorted(mainFirst) : [];
  const around = nodes.filter((node) => !centres.includes(node));
  const inner = centres.length > 1 ? centres.length * 35 : 0;
  const [rx, ry] = [Math.max(260 + inner, around.length * 28), Math.max(130, around.length * 20)];
  const middle = { x: margin + rx + nodeSize.width / 2, y: margin + ry + nodeSize.height / 2 };
  const points = new Map<string, Point>();
  centres.forEach(({ key }, index) => {
    points.set(key, { x: middle.x + (index - (centres.length - 1) / 2) * (nodeSize.width + 90), y: middle.y });
  });
  around.forEach(({ key }, index) => {
    const angle = (index / around.length) * 2 * Math.PI - Math.PI / 2;
    points.set(key, { x: middle.x + rx * Math.cos(angle), y: middle.y + ry * Math.sin(angle) });
  });
  return { points, width: middle.x * 2, height: middle.y * 2 };
}

const mainFirst = (a: GraphNode, b: GraphNode) => (a.role === 'main' ? 0 : 1) - (b.role === 'main' ? 0 : 1);

function tree(nodes: readonly GraphNode[]): Layout {
  const keys = new Set(nodes.map(({ key }) => key));
  const points = new Map<string, Point>();
  let row = 0;
  let depths = 1;
  const put = (node: GraphNode, depth: number): number => {
    // the entry stops a cycle of a plan that is not valid yet
    points.set(node.key, { x: 0, y: 0 });
    const rows = nodes
      .filter(({ key, pid }) => pid === node.key && !points.has(key))
      .map((child) => (points.has(child.key) ? row : put(child, depth + 1)));
    const at = rows.length === 0 ? row++ : (rows[0]! + rows.at(-1)!) / 2;
    depths = Math.max(depths, depth + 1);
    points.set(node.key, {
      x: margin + nodeSize.width / 2 + depth * (nodeSize.width + 110),
      y: margin + nodeSize.height / 2 + at * (nodeSize.height + 14),
    });
    return at;
  };
  for (const node of nodes) if (!keys.has(node.pid) && !points.has(node.key)) put(node, 0);
  for (const node of nodes) if (!points.has(node.key)) put(node, 0);
  return {
    points,
    width: margin * 2 + depths * (nodeSize.width + 110) - 110,
    height: margin * 2 + row * (nodeSize.height + 14) - 14,
  };
}
