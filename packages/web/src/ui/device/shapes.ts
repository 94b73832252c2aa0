/** By tokens; `led`: of the device's state. */
export const paints = {
  case: { fill: '--panel', stroke: '--ink-3' },
  face: { fill: '--panel-2', stroke: null },
  edge: { fill: null, stroke: '--ink-3' },
  solid: { fill: '--ink-3', stroke: null },
  led: { fill: 'led', stroke: null },
  ring: { fill: null, stroke: 'led' },
  down: { fill: '--panel', stroke: '--line-2' },
  lost: { fill: '--panel', stroke: '--bad' },
  half: { fill: '--panel', stroke: '--warn' },
  slow: { fill: '--warn', stroke: null },
  up: { fill: '--ok', stroke: '--ok' },
  fast: { fill: '--brand', stroke: '--brand' },
  hole: { fill: '--panel', stroke: null },
  downDot: { fill: '--line-2', stroke: null },
  lostDot: { fill: '--bad', stroke: null },
  upDot: { fill: '--ok', stroke: null },
  fastDot: { fill: '--brand', stroke: null },
  mark: { fill: '--brand', stroke: null },
} as const;
export type Paint = keyof typeof paints;

export function colourOf(paint: Paint, of: 'fill' | 'stroke', led = '--ink-3'): string {
  const token = paints[paint][of];
  return token === null ? 'none' : `var(${token === 'led' ? led : token})`;
}

export interface Shape {
  paint: Paint;
  d: string;
}

export interface Label {
  x: number;
  y: number;
  text: string;
}

export interface Picture {
  width: number;
  height: number;
  stroke: number;
  shapes: readonly Shape[];
  labels: readonly Label[];
}

const short = (number: number) => Number(number.toFixed(2));

export function rect(x: number, y: number, width: number, height: number, radius = 0): string {
  const [left, top, right, bottom, r] = [x, y, x + width, y + height, radius].map(short) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (r === 0) return `M${left} ${top}H${right}V${bottom}H${left}z`;
  const arc = (toX: number, toY: number) => `A${r} ${r} 0 0 1 ${short(toX)} ${short(toY)}`;
  return `M${short(left + r)} ${top}H${short(right - r)}${arc(right, top + r)}V${short(bottom - r)}${arc(right - r, bottom)}H${short(left + r)}${arc(left, bottom - r)}V${short(top + r)}${arc(left + r, top)}z`;
}

export function ellipse(x: number, y: number, rx: number, ry = rx): string {
  return `M${short(x - rx)} ${short(y)}a${rx} ${ry} 0 1 0 ${rx * 2} 0a${rx} ${ry} 0 1 0 ${-rx * 2} 0z`;
}

export function polygon(...points: readonly (readonly [x: number, y: number])[]): string {
  return `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')}z`;
}

/** Joins neighbours of one paint. */
export function merged(shapes: readonly Shape[]): Shape[] {
  const found: Shape[] = [];
  for (const { paint, d } of shapes) {
    const last = found.at(-1);
    if (last?.paint === paint) last.d += d;
    else found.push({ paint, d });
  }
  return found;
}
