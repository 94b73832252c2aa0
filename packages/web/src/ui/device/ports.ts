import { type Paint, polygon, rect, type Shape } from './shapes.ts';

export interface DrawnPort {
  name: string;
  uplink: boolean;
  up: boolean;
  /** Mbit/s */
  speed: number | null;
  /** PoE. */
  watts: number | null;
  /** By its settings. */
  enabled?: boolean;
  /** False: a link without internet. */
  reaches?: boolean;
}

export type PortState = 'off' | 'down' | 'lost' | 'slow' | 'up' | 'fast';

/** Mbit/s */
const usual = 1000;

export function portState({ enabled, up, speed, reaches }: DrawnPort): PortState {
  if (enabled === false) return 'off';
  if (!up) return 'down';
  if (reaches === false) return 'lost';
  if (speed === null || speed === usual) return 'up';
  return speed < usual ? 'slow' : 'fast';
}

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

const order: readonly Paint[] = [
  'downDot',
  'lostDot',
  'upDot',
  'fastDot',
  'down',
  'lost',
  'half',
  'slow',
  'up',
  'fast',
  'edge',
  'hole',
];
const inOrder = (shapes: readonly Shape[]) => order.flatMap((paint) => shapes.filter((shape) => shape.paint === paint));

/** Tells states apart by form, not by colour alone. */
export function sockets(ports: readonly DrawnPort[], placeOf: (at: number) => Place): Shape[] {
  return inOrder(ports.flatMap((port, at) => socket(port, placeOf(at))));
}

/** Of a few pixels: taller with a link, half as tall with a slow one. */
export function dots(ports: readonly DrawnPort[], placeOf: (at: number) => Place): Shape[] {
  return inOrder(
    ports.map((port, at): Shape => {
      const { x, y, width, height } = placeOf(at);
      const [paint, share] = dotOf[portState(port)];
      return { paint, d: rect(x, y + height * (1 - share), width, height * share) };
    }),
  );
}

const dotOf: Record<PortState, readonly [Paint, share: number]> = {
  off: ['downDot', 0.25],
  down: ['downDot', 0.4],
  lost: ['lostDot', 0.4],
  slow: ['slow', 0.6],
  up: ['upDot', 1],
  fast: ['fastDot', 1],
};

function socket(port: DrawnPort, place: Place): Shape[] {
  const state = portState(port);
  const { x, y, width, height } = place;
  const shapes: Shape[] = [{ paint: bodies[state], d: plug(place) }];
  if (state === 'slow')
    shapes.push({ paint: 'slow', d: plug({ x, y: y + height * 0.5, width, height: height * 0.5 }, 0.56) });
  if (state === 'off' || state === 'lost') {
    const cross = `M${x} ${y}L${x + width} ${y + height}`;
    shapes.push({ paint: state === 'off' ? 'edge' : 'lost', d: cross });
  }
  if (state === 'fast') shapes.push({ paint: 'hole', d: rect(x + width * 0.2, y + 2, width * 0.6, 1.6) });
  if ((port.watts ?? 0) > 0)
    shapes.push({ paint: state === 'up' || state === 'fast' ? 'hole' : 'edge', d: bolt(place) });
  return shapes;
}

const bodies: Record<PortState, Paint> = {
  off: 'down',
  down: 'down',
  lost: 'lost',
  slow: 'half',
  up: 'up',
  fast: 'fast',
};

function plug({ x, y, width, height }: Place, share = 0.78): string {
  const [right, shoulder, bottom] = [x + width, y + height * share, y + height];
  const [left, inner] = [x + width * 0.26, x + width * 0.74];
  return polygon(
    [x, y],
    [right, y],
    [right, shoulder],
    [inner, shoulder],
    [inner, bottom],
    [left, bottom],
    [left, shoulder],
    [x, shoulder],
  );
}

function bolt({ x, y, width, height }: Place): string {
  const points = [
    [0.58, 0.24],
    [0.34, 0.58],
    [0.5, 0.58],
    [0.42, 0.9],
    [0.68, 0.5],
    [0.52, 0.5],
  ] as const;
  return polygon(...points.map(([across, down]) => [x + across * width, y + down * height] as const));
}

/** `12` of `Ethernet12`, else the name. */
export function portLabel({ name }: Pick<DrawnPort, 'name'>): string {
  return /^Ethernet(\d+)$/.exec(name)?.[1] ?? name;
}
