import { arc } from 'd3-shape';
import type { ReactNode } from 'react';
import { count, percent } from '../format.ts';
import { colorOf } from './frame.tsx';
import type { Share } from './shares.tsx';

const RADIUS = 46;
const LENGTH = 2 * Math.PI * RADIUS;
/** Size of the note times its characters: what fits between the walls of the ring. */
const NOTE = 125;

/** A ring, from its top, as far as a share of it (0 to 1); butt ends do not exaggerate the gap. `children` stands in its middle. */
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

/** A part of a whole as a ring, with both numbers in it. */
export function Ring({ part, whole, label }: { part: number; whole: number; label: string }) {
  const share = whole > 0 ? part / whole : 0;
  // One device of ten thousand must not look like all of them.
  const sum = `${count(part)} / ${count(whole)}`;
  const shown = share === 1 ? '100%' : percent(Math.min(share * 100, 99));
  return (
    <Round share={share} label={label}>
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
/** Half of the gap between two parts, in radians. */
const GAP = 0.012;

/** A half ring that parts share between them; `children` stands in its middle. The numbers are the caller's to name beside it. */
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
