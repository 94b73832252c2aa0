import type { DeviceStatus } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import { statusTone, type Tone } from '../status.tsx';
import { type Detail, pictureOf } from './fronts.ts';
import type { DrawnKind } from './glyphs.ts';
import { type DrawnPort, portState } from './ports.ts';
import { colourOf } from './shapes.ts';
import './device.css';

/** Pixels. */
const sizes = { 16: [16, 16], 24: [24, 24], 48: [48, 36] } as const;
const details: Record<16 | 24 | 48, Detail> = { 16: 'sign', 24: 'sign', 48: 'small' };
const largest = 720;
const tallest = 92;

interface Props {
  kind: DrawnKind;
  size: 16 | 24 | 48 | 'large';
  ports?: readonly DrawnPort[];
  status?: DeviceStatus | null;
  /** Without one it is decoration. */
  label?: string;
  /** Inside another drawing. */
  x?: number;
  y?: number;
}

const none: readonly DrawnPort[] = [];

export function DeviceDrawing({ kind, size, ports = none, status, label, x, y }: Props) {
  const picture = pictureOf(kind, ports, size === 'large' ? 'large' : details[size]);
  const [width, height] = size === 'large' ? fitted(picture) : sizes[size];
  const led = ledOf(status ?? null);
  return (
    <svg
      className={size === 'large' ? 'device device-large' : 'device'}
      x={x}
      y={y}
      width={width}
      height={height}
      viewBox={`0 0 ${picture.width} ${picture.height}`}
      strokeWidth={size === 16 ? 2 : picture.stroke}
      strokeLinejoin="round"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined || undefined}
    >
      {picture.shapes.map(({ paint, d }) => (
        <path key={`${paint}${d}`} d={d} fill={colourOf(paint, 'fill', led)} stroke={colourOf(paint, 'stroke', led)} />
      ))}
      {picture.labels.map(({ x: at, y: line, text }) => (
        <text key={`${at} ${line}`} x={at} y={line} className="device-label">
          {text}
        </text>
      ))}
    </svg>
  );
}

function fitted({ width, height, labels }: { width: number; height: number; labels: readonly unknown[] }) {
  const scale = labels.length === 0 ? tallest / height : Math.min(1, largest / width);
  return [width * scale, height * scale] as const;
}

const leds: Record<Tone, `--${string}`> = {
  ok: '--ok',
  warn: '--warn',
  bad: '--bad',
  info: '--info',
  brand: '--brand',
  none: '--ink-3',
};

export const ledOf = (status: DeviceStatus | null): `--${string}` =>
  leds[status === null ? 'none' : statusTone(status)];

export function drawingText(name: string, ports: readonly DrawnPort[]): string {
  if (ports.length === 0) return name;
  const states = ports.map(portState);
  const up = states.filter((state) => state === 'up' || state === 'slow' || state === 'fast').length;
  const slow = states.filter((state) => state === 'slow').length;
  const lost = states.filter((state) => state === 'lost').length;
  const powered = ports.filter(({ watts }) => (watts ?? 0) > 0).length;
  return [
    t('drawing.ports', { name, up: up + lost, all: ports.length }),
    slow > 0 ? t('drawing.slow', { n: slow }) : null,
    lost > 0 ? t('drawing.lost', { n: lost }) : null,
    powered > 0 ? t('drawing.powered', { n: powered }) : null,
  ]
    .filter(Boolean)
    .join(' · ');
}
