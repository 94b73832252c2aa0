import { arc } from 'd3-shape';
import type { ReactNode } from 'react';
import { count, percent } from '../format.ts';
import type { Tone } from '../status.tsx';
import { colorOf } from './frame.tsx';
import type { Share } from './shares.tsx';

const RADIUS = 46;
const LENGTH = 2 * Math.PI * RADIUS;
/** Font size × characters that fit inside the ring. */
const NOTE = 125;

/** Draws from the top to a share (0 to 1), with butt ends: round ones would exaggerate. */
export function Round({
  share,
  label,
  size = 120,
  children,
}: {
  share: number;
  label: string;
  size?: number;
  children: ReactNode;
}) {
  return (
    <svg className="ring" viewBox="0 0 112 112" width={size} height={size} role="img" aria-label={label}>
      <circle className="ring-track" cx="56" cy="56" r={RADIUS} />
      {share > 0 && (
        <circle
          className="ring-part"
          cx="56"
          cy="56"
          r={RADIUS}
          strokeDasharray={`${LENGTH * share} ${LENGTH}`}
          transform="rotate(-90 56 56)"
        />
      )}
      {children}
    </svg>
  );
}

interface RingPart {
  key: string;
  value: number;
  tone: Tone;
}

/** Draws parts of `whole`, with the share of `part` in the middle. */
export function Ring(props: { part: number; whole: number; parts: readonly RingPart[]; label: string }) {
  const { part, whole, parts, label } = props;
  const share = whole > 0 ? part / whole : 0;
  const sum = `${count(part)} / ${count(whole)}`;
  // one device of 10,000 missing must not read 100 %
  const shown = share === 1 ? '100%' : percent(Math.min(share * 100, 99));
  return (
    <Round share={0} label={label}>
      {parts.map(({ key, value, tone }, index) => {
        if (value <= 0 || whole <= 0) return null;
        const before = parts.slice(0, index).reduce((total, one) => total + one.value, 0);
        return (
          <circle
            key={key}
            className={`ring-part ring-${tone}`}
            cx="56"
            cy="56"
            r={RADIUS}
            strokeDasharray={`${(LENGTH * value) / whole} ${LENGTH}`}
            transform={`rotate(${(before / whole) * 360 - 90} 56 56)`}
          />
        );
      })}
      <text x="56" y="57" textAnchor="middle" className="ring-figure">
        {whole > 0 ? shown : '—'}
      </text>
      <text x="56" y="73" textAnchor="middle" className="ring-note" fontSize={Math.min(11, NOTE / sum.length)}>
        {sum}
      </text>
    </Round>
  );
}

const OUTER = 96;
const half = arc<{ startAngle: number; endAngle: number }>()
  .innerRadius(OUTER - 18)
  .outerRadius(OUTER)
  .cornerRadius(2);
/** Radians between two parts, halved. */
const GAP = 0.012;

export function Gauge({ label, parts, children }: { label: string; parts: readonly Share[]; children?: ReactNode }) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  let from = -Math.PI / 2;
  return (
    <div className="gauge">
      <svg viewBox={`${-OUTER} ${-OUTER} ${2 * OUTER} ${OUTER}`} role="img" aria-label={label}>
        <path className="gauge-track" d={half({ startAngle: -Math.PI / 2, endAngle: Math.PI / 2 }) ?? ''} />
        {parts.map((part, index) => {
          if (part.value <= 0) return null;
          const start = from;
          from += (part.value / total) * Math.PI;
          const gaps = part.value < total ? GAP : 0;
          return (
            <path
              key={part.key}
              className={`chart-bar ${colorOf(part.color ?? index)}`}
              d={half({ startAngle: start + gaps, endAngle: Math.max(start + gaps, from - gaps) }) ?? ''}
            />
          );
        })}
      </svg>
      <div className="gauge-middle">{children}</div>
    </div>
  );
}
