import { count, percent } from '../../ui/format.ts';

const RADIUS = 46;
const LENGTH = 2 * Math.PI * RADIUS;

/** A share as a ring with butt ends, which do not exaggerate the gap. Colours are CSS variables: a theme switch redraws nothing. */
export function Ring({ part, whole, label }: { part: number; whole: number; label: string }) {
  const share = whole > 0 ? part / whole : 0;
  // One device of ten thousand must not look like all of them.
  const shown = share === 1 ? '100%' : percent(Math.min(share * 100, 99));
  return (
    <svg className="ring" viewBox="0 0 112 112" width="128" height="128" role="img" aria-label={label}>
      <circle cx="56" cy="56" r={RADIUS} fill="none" stroke="var(--panel-2)" strokeWidth="10" />
      {share > 0 && (
        <circle
          cx="56"
          cy="56"
          r={RADIUS}
          fill="none"
          stroke="var(--c1)"
          strokeWidth="10"
          strokeDasharray={`${LENGTH * share} ${LENGTH}`}
          transform="rotate(-90 56 56)"
        />
      )}
      <text x="56" y="57" textAnchor="middle" className="ring-figure">
        {whole > 0 ? shown : '—'}
      </text>
      <text x="56" y="73" textAnchor="middle" className="ring-note">
        {count(part)} / {count(whole)}
      </text>
    </svg>
  );
}
