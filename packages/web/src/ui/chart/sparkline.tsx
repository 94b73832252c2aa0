import { colorOf } from './frame.tsx';

const WIDTH = 120;
const HEIGHT = 28;
const MARGIN = 2;

interface Props {
  label: string;
  values: readonly (number | null)[];
  color: number;
  /** Fills its container's width. */
  fit?: boolean;
  /** Begins at the least value, so that small dips show; else at zero. */
  fromLeast?: boolean;
}

/** Draws a line without axes. Null is a gap; a value between gaps is a dot. */
export function Sparkline({ label, values, color, fit = false, fromLeast = false }: Props) {
  const known = values.filter((value) => value !== null);
  const lowest = fromLeast ? Math.min(...known) : 0;
  const range = Math.max(fromLeast ? 0 : 1, ...known.map((value) => value - lowest));
  const x = (place: number) => MARGIN + (place / Math.max(1, values.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value: number) => HEIGHT - MARGIN - (range === 0 ? 0.5 : (value - lowest) / range) * (HEIGHT - 2 * MARGIN);
  return (
    <svg
      className={`sparkline ${colorOf(color)}`}
      data-fit={fit || undefined}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      preserveAspectRatio={fit ? 'none' : undefined}
      role="img"
      aria-label={label}
    >
      {stretches(values).map(({ from, own }) => {
        const points = own.map((value, index) => `${x(from + index)},${y(value)}`);
        if (own.length === 1) return <path key={from} className="sparkline-dot" d={`M${points[0]}h.01`} />;
        const [first, last] = [x(from), x(from + own.length - 1)];
        return (
          <g key={from}>
            <polygon className="sparkline-area" points={`${first},${HEIGHT} ${points.join(' ')} ${last},${HEIGHT}`} />
            <polyline className="sparkline-line" points={points.join(' ')} />
          </g>
        );
      })}
    </svg>
  );
}

function stretches(values: readonly (number | null)[]): { from: number; own: number[] }[] {
  const found: { from: number; own: number[] }[] = [];
  values.forEach((value, place) => {
    if (value === null) return;
    const last = found.at(-1);
    if (last && last.from + last.own.length === place) last.own.push(value);
    else found.push({ from: place, own: [value] });
  });
  return found;
}
