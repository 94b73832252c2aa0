import { type DrawnKind, glyph } from './glyphs.ts';
import { type DrawnPort, dots, portLabel, sockets } from './ports.ts';
import { ellipse, type Label, merged, type Picture, polygon, rect, type Shape } from './shapes.ts';

/** `small`: with the state of ports; `large`: with their names. */
export type Detail = 'sign' | 'small' | 'large';

export function pictureOf(kind: DrawnKind, ports: readonly DrawnPort[], detail: Detail): Picture {
  if (detail !== 'sign' && ports.length > 0) {
    if (kind === 'switch') return detail === 'small' ? smallSwitch(ports) : largeSwitch(ports);
    if (kind === 'gateway') return detail === 'small' ? smallGateway(ports) : largeGateway(ports);
    if (kind === 'ap' && detail === 'large') return largeAccessPoint(ports);
  }
  return { ...glyph(kind), stroke: strokes[detail] };
}

/** Of signs, which each size scales. */
const strokes: Record<Detail, number> = { sign: 1.5, small: 1.1, large: 0.6 };

const small = { width: 48, height: 36, stroke: 1.2, labels: [] } as const;
const room = { left: 4, right: 39, top: 12 } as const;

function smallSwitch(ports: readonly DrawnPort[]): Picture {
  const columns = Math.ceil(ports.length / 2);
  const cell = Math.min(6, (room.right - room.left) / columns);
  const shapes = dots(ports, (at) => ({
    x: room.left + Math.floor(at / 2) * cell,
    y: room.top + (at % 2) * 7,
    width: cell * 0.72,
    height: 5,
  }));
  return { ...small, shapes: front(shapes) };
}

function smallGateway(ports: readonly DrawnPort[]): Picture {
  const placed = apart(ports);
  const cell = Math.min(8, (room.right - room.left) / (placed.at(-1)!.column + 1));
  const shapes = dots(
    placed.map(({ port }) => port),
    (at) => ({ x: room.left + placed[at]!.column * cell, y: 14, width: cell * 0.72, height: 8 }),
  );
  return { ...small, shapes: front(shapes) };
}

const front = (shapes: readonly Shape[]): Shape[] => [
  { paint: 'case', d: rect(1, 8, 46, 20, 2.5) },
  ...merged(shapes),
  { paint: 'led', d: ellipse(43, 13, 1.6) },
];

/** WAN ports first. */
function apart(ports: readonly DrawnPort[]): { port: DrawnPort; column: number }[] {
  const wans = ports.filter(({ uplink }) => uplink);
  const gap = wans.length > 0 && wans.length < ports.length ? 0.6 : 0;
  return [...wans, ...ports.filter(({ uplink }) => !uplink)].map((port, at) => ({
    port,
    column: at < wans.length ? at : at + gap,
  }));
}

const cell = { width: 26, height: 22, gap: 6 } as const;
const socketSize = { width: 20, height: 17 } as const;
const margin = 18;

function largeSwitch(ports: readonly DrawnPort[]): Picture {
  const columns = Math.ceil(ports.length / 2);
  const width = margin * 2 + columns * cell.width + 26;
  const placeOf = (at: number) => ({
    x: margin + Math.floor(at / 2) * cell.width,
    y: at % 2 === 0 ? 22 : 22 + socketSize.height + cell.gap,
    ...socketSize,
  });
  const labels = ports.map((port, at): Label => {
    const { x, y } = placeOf(at);
    return { x: x + socketSize.width / 2, y: at % 2 === 0 ? y - 5 : y + socketSize.height + 12, text: portLabel(port) };
  });
  const marks = ports.flatMap(({ uplink }, at): Shape[] => {
    const { x, y } = placeOf(at);
    return uplink ? [{ paint: 'mark', d: arrow(x + 1, at % 2 === 0 ? y - 5 : y + socketSize.height + 12) }] : [];
  });
  const height = 22 + socketSize.height * 2 + cell.gap + 20;
  return {
    width,
    height,
    stroke: 1.4,
    labels,
    shapes: [
      { paint: 'case', d: rect(1, 1, width - 2, height - 2, 6) },
      ...merged([...sockets(ports, placeOf), ...marks]),
      { paint: 'led', d: ellipse(width - 20, 20, 4) },
    ],
  };
}

function largeGateway(ports: readonly DrawnPort[]): Picture {
  const placed = apart(ports);
  const step = 44;
  const from = 56;
  const width = from + (placed.at(-1)!.column + 1) * step + 40;
  const height = 72;
  const placeOf = (at: number) => ({ x: from + placed[at]!.column * step, y: 18, width: 26, height: 22 });
  const labels = placed.map(({ port }, at): Label => {
    return { x: placeOf(at).x + 13, y: 56, text: portLabel(port) };
  });
  const inside = sockets(
    placed.map(({ port }) => port),
    placeOf,
  );
  return {
    width,
    height,
    stroke: 1.4,
    labels,
    shapes: [
      { paint: 'case', d: rect(1, 1, width - 2, height - 2, 10) },
      { paint: 'edge', d: globe(30, 29, 12) },
      ...merged(inside),
      { paint: 'led', d: ellipse(width - 20, 20, 4) },
    ],
  };
}

function largeAccessPoint(ports: readonly DrawnPort[]): Picture {
  const [step, from] = [44, 132];
  const width = from + ports.length * step;
  const placeOf = (at: number) => ({ x: from + at * step, y: 30, width: 26, height: 22 });
  const labels = ports.map((port, at): Label => ({ x: placeOf(at).x + 13, y: 68, text: portLabel(port) }));
  return {
    width,
    height: 92,
    stroke: 1.4,
    labels,
    shapes: [
      { paint: 'case', d: ellipse(56, 50, 54, 36) },
      { paint: 'case', d: ellipse(56, 44, 54, 36) },
      { paint: 'ring', d: ellipse(56, 44, 22, 14) },
      { paint: 'led', d: ellipse(56, 44, 3, 2.2) },
      { paint: 'edge', d: `M112 44H${from - 10}` },
      ...merged(sockets(ports, placeOf)),
    ],
  };
}

const arrow = (x: number, y: number) => polygon([x - 1, y - 1], [x + 2.5, y - 7], [x + 6, y - 1]);

function globe(x: number, y: number, r: number): string {
  const meridian = (side: number) => `M${x} ${y - r}C${x + side} ${y - r / 2} ${x + side} ${y + r / 2} ${x} ${y + r}`;
  return `${ellipse(x, y, r)}M${x - r} ${y}H${x + r}${meridian(-8)}${meridian(8)}`;
}
