import { arc, pie } from 'd3-shape';
import type { ReactNode } from 'react';
import { percent } from '../format.ts';
import { Link } from '../link.tsx';
import { colorOf, NoData, Swatch } from './frame.tsx';

export interface Share {
  key: string;
  name: string;
  value: number;
  /** Palette index; default: of the part. */
  color?: number;
  to?: string;
  search?: Readonly<Record<string, string>>;
}

interface Props {
  label: string;
  parts: readonly Share[];
  format: (value: number) => string;
  none?: ReactNode;
}

const sum = (parts: readonly Share[]): number => parts.reduce((total, { value }) => total + value, 0);

function Parts({ label, parts, format }: Props) {
  const total = sum(parts);
  return (
    <ul className="parts" aria-label={label}>
      {parts.map((part, index) => {
        const line = (
          <>
            <Swatch color={part.color ?? index} />
            <span className="ellipsis">{part.name}</span>
            <span className="parts-value">{format(part.value)}</span>
            <span className="parts-share">{total > 0 ? percent((part.value / total) * 100) : '—'}</span>
          </>
        );
        return (
          <li key={part.key}>
            {part.to ? (
              <Link to={part.to} search={part.search ?? {}} className="parts-line">
                {line}
              </Link>
            ) : (
              <span className="parts-line">{line}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const SIZE = 148;
const slices = pie<Share>()
  .value((part) => part.value)
  .sortValues(null)
  .padAngle(0.02);
const slice = arc<{ startAngle: number; endAngle: number; padAngle: number }>()
  .innerRadius(SIZE / 2 - 22)
  .outerRadius(SIZE / 2)
  .cornerRadius(1.5);

export function Donut(props: Props & { middle?: string }) {
  const total = sum(props.parts);
  if (total <= 0) return <NoData height={SIZE}>{props.none}</NoData>;
  return (
    <div className="shares">
      <div className="donut">
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE} aria-hidden="true">
          <g transform={`translate(${SIZE / 2} ${SIZE / 2})`}>
            {slices(props.parts.filter((part) => part.value > 0)).map((each) => {
              const place = props.parts.indexOf(each.data);
              return (
                <path
                  key={each.data.key}
                  className={`chart-bar ${colorOf(each.data.color ?? place)}`}
                  d={slice(each) ?? ''}
                />
              );
            })}
            <text className="donut-figure" textAnchor="middle" y={props.middle ? 2 : 7}>
              {props.format(total)}
            </text>
            {props.middle && (
              <text className="donut-note" textAnchor="middle" y={20}>
                {props.middle}
              </text>
            )}
          </g>
        </svg>
        <Parts {...props} />
      </div>
    </div>
  );
}

export function ShareBar(props: Props) {
  const total = sum(props.parts);
  if (total <= 0) return <NoData>{props.none}</NoData>;
  return (
    <div className="share-bar">
      <div className="share-track" aria-hidden="true">
        {props.parts.map(
          (part, index) =>
            part.value > 0 && (
              <span key={part.key} className={colorOf(part.color ?? index)} style={{ flexGrow: part.value / total }} />
            ),
        )}
      </div>
      <Parts {...props} />
    </div>
  );
}

/** Colours of a ranking; later bars repeat the last. */
const COLORS = 5;

/** Bars, longest first; full width is `whole`, default the sum. */
export function Ranking(props: Props & { whole?: number; rows?: number }) {
  const whole = props.whole ?? sum(props.parts);
  const parts = props.parts.toSorted((a, b) => b.value - a.value).slice(0, props.rows ?? COLORS);
  if (whole <= 0) return <NoData height={SIZE}>{props.none}</NoData>;
  return (
    <ol className="ranking" aria-label={props.label}>
      {parts.map((part, index) => {
        const share = Math.min(100, (part.value / whole) * 100);
        const name = part.to ? (
          <Link to={part.to} search={part.search ?? {}} className="ellipsis">
            {part.name}
          </Link>
        ) : (
          <span className="ellipsis">{part.name}</span>
        );
        return (
          <li key={part.key}>
            {name}
            <span className="ranking-track" aria-hidden="true">
              <span className={colorOf(Math.min(index, COLORS - 1))} style={{ width: `${share}%` }} />
            </span>
            <span className="ranking-value">{props.format(part.value)}</span>
            <span className="parts-share">{percent(share)}</span>
          </li>
        );
      })}
    </ol>
  );
}
