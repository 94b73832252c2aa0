import { colorOf } from './frame.tsx';

const WIDTH = 120;
const HEIGHT = 28;
const MARGIN = 2;

/** Draws a line without axes. Null is a gap; a value between gaps is a dot. */
export function Sparkline(props: { label: string; values: readonly (number | null)[]; color: number }) {
  const { label, values, color } = props;
  const highest = Math.max(1, ...values.map((value) => value ?? 0));
  const x = (place: number) => MARGIN + (place / Math.max(1, values.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value: number) => HEIGHT - MARGIN - (value / highest) * (HEIGHT - 2 * MARGIN);
  return (
    <svg
      className={`sparkline ${colorOf(color)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {stretches(values).map(({ from, own }) =>
        own.length === 1 ? (
          <circle key={from} className="sparkline-dot" cx={x(from)} cy={y(own[0]!)} r="1.5" />
        ) : (
          <polyline
            key={from}
            className="sparkline-line"
            points={own.map((value, index) => `${x(from + index)},${y(value)}`).join(' ')}
          />
        ),
      )}
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
