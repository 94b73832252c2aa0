import type { Data } from '../../app/api.ts';

type Reported = Data<'/api/v3/topology/get'>['nodes'][number];
export type TopologyNode = Omit<Reported, 'kind'> & { kind: Reported['kind'] | 'internet' };

/** Adds the internet above the gateways; nothing without a gateway. */
export function withInternet(nodes: readonly TopologyNode[]): readonly TopologyNode[] {
  const isRoot = ({ kind, parent }: TopologyNode) => kind === 'gateway' && parent === null;
  if (!nodes.some(isRoot)) return nodes;
  const internet: TopologyNode = {
    id: 'internet',
    kind: 'internet',
    name: null,
    mac: null,
    status: null,
    about: null,
    ip: null,
    parent: null,
    link: null,
    apart: null,
    ports: [],
    reported_at: null,
    rssi: null,
    band: null,
    ssid: null,
  };
  return [internet, ...nodes.map((node) => (isRoot(node) ? { ...node, parent: internet.id } : node))];
}

/** Drawn by width and colour. */
export type Pace = 'unknown' | 'slow' | 'gigabit' | 'fast';

/** Slow up to 100 Mbit/s, fast above 1 Gbit/s. */
export function paceOf({ link }: TopologyNode): Pace {
  if (!link?.speed || link.source === 'wireless') return 'unknown';
  if (link.speed <= 100) return 'slow';
  return link.speed <= 1000 ? 'gigabit' : 'fast';
}

export interface Placed {
  node: TopologyNode;
  x: number;
  y: number;
  boxes: number;
  stations: number;
  open: { boxes: boolean; stations: boolean };
  lost: number;
}

/** In drawing units (pixels at 100 %). */
export interface Drawing {
  placed: Placed[];
  lines: { from: Placed; to: Placed }[];
  width: number;
  height: number;
}

export const box = { width: 248, height: 58 } as const;
export const leaf = { width: 184, height: 26 } as const;
/** Where drawing and texts begin in a box. */
export const inside = {
  box: { drawing: 10, text: 66, width: 48, height: 36 },
  leaf: { drawing: 10, text: 32, width: 16, height: 16 },
} as const;
/** A line leaves a box straight between its folds, and bends behind them. */
const foldRoom = 52;
const column = box.width + foldRoom + 76;
const gap = 14;
const margin = 16;

/** Children of a device; clients unless listed. */
export interface Folds {
  closed: ReadonlySet<string>;
  withStations: ReadonlySet<string>;
}

export function childrenOf(nodes: readonly TopologyNode[]): Map<string, TopologyNode[]> {
  const children = new Map<string, TopologyNode[]>();
  for (const node of nodes.toSorted(inOrder)) {
    if (node.parent === null) continue;
    const list = children.get(node.parent);
    if (list) list.push(node);
    else children.set(node.parent, [node]);
  }
  return children;
}

const kinds: readonly TopologyNode['kind'][] = ['internet', 'gateway', 'switch', 'equipment', 'ap', 'station'];
const titleOf = ({ name, mac, id }: TopologyNode) => name ?? mac ?? id;
/** Created once: one per comparison costs more than drawing 2,000 nodes. */
const { compare } = new Intl.Collator(undefined, { numeric: true });

export function inOrder(a: TopologyNode, b: TopologyNode): number {
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || compare(titleOf(a), titleOf(b)) || (a.id < b.id ? -1 : 1);
}

export function apartOf(nodes: readonly TopologyNode[]): TopologyNode[] {
  const children = childrenOf(nodes);
  return nodes.filter(({ id, apart }) => apart !== null && !children.has(id)).toSorted(inOrder);
}

export function draw(nodes: readonly TopologyNode[], folds: Folds): Drawing {
  const children = childrenOf(nodes);
  const aside = new Set(apartOf(nodes).map(({ id }) => id));
  const drawing: Drawing = { placed: [], lines: [], width: 0, height: 0 };
  let y = margin;
  const place = (node: TopologyNode, depth: number): Placed => {
    const below = children.get(node.id) ?? [];
    const boxes = below.filter(({ kind }) => kind !== 'station');
    const stations = below.filter(({ kind }) => kind === 'station');
    const open = { boxes: !folds.closed.has(node.id), stations: folds.withStations.has(node.id) };
    const size = node.kind === 'station' ? leaf : box;
    const placed: Placed = {
      node,
      x: margin + depth * column,
      y,
      open,
      boxes: boxes.length,
      stations: stations.length,
      lost: open.boxes ? 0 : lostBelow(node.id, children),
    };
    drawing.placed.push(placed);
    drawing.width = Math.max(drawing.width, placed.x + size.width + foldRoom + margin);
    const shown = [...(open.boxes ? boxes : []), ...(open.stations ? stations : [])];
    if (shown.length === 0) {
      y += size.height + (node.kind === 'station' ? 6 : gap);
      return placed;
    }
    const begin = y;
    const inside = shown.map((child) => place(child, depth + 1));
    const middle = (inside[0]!.y + inside.at(-1)!.y + heightOf(inside.at(-1)!)) / 2 - size.height / 2;
    placed.y = Math.max(begin, middle);
    y = Math.max(y, placed.y + size.height + gap);
    drawing.lines.push(...inside.map((to) => ({ from: placed, to })));
    return placed;
  };
  for (const root of nodes.filter(({ id, parent }) => parent === null && !aside.has(id)).toSorted(inOrder)) {
    place(root, 0);
    y += gap;
  }
  drawing.height = y + margin;
  return drawing;
}

function lostBelow(id: string, children: ReadonlyMap<string, TopologyNode[]>): number {
  const below = children.get(id) ?? [];
  return below.reduce(
    (sum, node) =>
      sum + (node.status === 'offline' ? 1 : 0) + (node.kind === 'station' ? 0 : lostBelow(node.id, children)),
    0,
  );
}

const many = 60;

/** In a large network: the outermost devices with children. */
export function foldedAtFirst(nodes: readonly TopologyNode[]): Set<string> {
  const boxes = nodes.filter(({ kind }) => kind !== 'station');
  if (boxes.length <= many) return new Set();
  const holding = new Set(boxes.flatMap(({ parent }) => parent ?? []));
  const inner = new Set(boxes.flatMap(({ id, parent }) => (parent !== null && holding.has(id) ? [parent] : [])));
  return new Set(boxes.flatMap(({ id, parent }) => (parent !== null && holding.has(id) && !inner.has(id) ? [id] : [])));
}

export interface Part {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function placedIn(drawing: Drawing, { left, top, right, bottom }: Part): Placed[] {
  return drawing.placed.filter(
    (one) =>
      one.x < right && one.x + box.width + foldRoom > left && one.y - gap < bottom && one.y + heightOf(one) > top,
  );
}

export interface Bundle extends Part {
  id: string;
  isLoose: boolean;
  pace: Pace;
  d: string;
}

/** A switch with 100 devices needs a few paths instead of 100. */
export function bundlesOf({ lines }: Drawing): Bundle[] {
  const bundles = new Map<string, Bundle>();
  for (const line of lines) {
    const { from, to } = line;
    const pace = paceOf(to.node);
    const id = `${from.node.id} ${isLoose(to.node)} ${pace}`;
    const known = bundles.get(id) ?? {
      id,
      isLoose: isLoose(to.node),
      pace,
      d: '',
      left: from.x + box.width,
      right: to.x,
      top: from.y,
      bottom: from.y + box.height,
    };
    known.d += pathOf(line);
    known.top = Math.min(known.top, to.y);
    known.bottom = Math.max(known.bottom, to.y + heightOf(to));
    bundles.set(id, known);
  }
  return [...bundles.values()];
}

export function isLoose({ link, status }: TopologyNode): boolean {
  return link?.source === 'wireless' || status === 'offline';
}

export function overlaps(one: Part, other: Part): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

export const heightOf = ({ node }: Placed) => (node.kind === 'station' ? leaf.height : box.height);

export function pathOf({ from, to }: Drawing['lines'][number]): string {
  const [x1, y1] = [from.x + box.width, from.y + box.height / 2];
  const [x2, y2] = [to.x, to.y + heightOf(to) / 2];
  const bend = (x1 + foldRoom + x2) / 2;
  return `M${x1} ${y1}H${x1 + foldRoom}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`;
}

export function says(node: TopologyNode, keyword: string): boolean {
  const word = keyword.trim().toLowerCase();
  const digits = word.replace(/[:.-]/g, '');
  return (
    [node.name, node.ip, node.about, node.ssid].some((text) => text?.toLowerCase().includes(word)) ||
    (/^[0-9a-f]{2,12}$/.test(digits) && (node.mac?.includes(digits) ?? false))
  );
}

export function unfolded(nodes: readonly TopologyNode[], folds: Folds, shown: readonly TopologyNode[]): Folds {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const closed = new Set(folds.closed);
  const withStations = new Set(folds.withStations);
  for (const node of shown) {
    if (node.kind === 'station' && node.parent !== null) withStations.add(node.parent);
    for (let above = node.parent; above !== null; above = byId.get(above)?.parent ?? null) closed.delete(above);
  }
  return { closed, withStations };
}

export const zooms = [0.25, 0.4, 0.6, 0.8, 1, 1.3, 1.7] as const;

/** At most as drawn. */
export function fitting(
  { width, height }: Pick<Drawing, 'width' | 'height'>,
  frame: { width: number; height: number },
): number {
  const scale = Math.min(frame.width / width, frame.height / height, 1);
  return Math.max(zooms[0], Math.floor(scale * 100) / 100);
}
