import type { ReactNode } from 'react';
import { type AxisKind, hasValues, labelled, linear, nearest, valueAxis } from './axis.ts';
import { colorOf, NoData, PlotArea, type Reading, useWidth } from './frame.tsx';
import { Grid } from './line-chart.tsx';

export interface BarSeries {
  key: string;
  name: string;
  /** Null: unknown, not drawn. */
  values: readonly (number | null)[];
  /** Palette index; default: of the series. */
  color?: number;
}

interface Props {
  label: string;
  places: readonly string[];
  placeTitle: string;
  series: readonly BarSeries[];
  format: (value: number) => string;
  tick?: (value: number) => string;
  axis?: AxisKind;
  height?: number;
  none?: ReactNode;
  /** Replaces null values. */
  why?: readonly (string | null)[];
}

const TOP = 10;
const BOTTOM = 26;
const RIGHT = 6;
const CHARACTER = 7.2;
const WIDEST = 44;
const LINE = 14;
const FILLED = 0.65;

export function BarChart(props: Props) {
  const { places, series, format, height = 220 } = props;
  const [box, width] = useWidth();
  const sums = places.map((_, place) => series.reduce((sum, one) => sum + (one.values[place] ?? 0), 0));
  if (!hasValues(sums)) return <NoData height={height}>{props.none}</NoData>;
  const axis = valueAxis(Math.max(...sums), props.axis);
  const tick = props.tick ?? format;
  const left = Math.max(28, ...axis.ticks.map((value) => tick(value).length * CHARACTER + 10));
  // break names into two lines before dropping labels
  const all = labelled(places.length, width - left, Math.max(...places.map(roomOf)));
  const broken = all.length < places.length && places.every((name) => linesOf(name).length <= 2);
  const lines = (name: string) => (broken ? linesOf(name) : [name]);
  const bottom = BOTTOM + (broken ? LINE : 0);
  const room = Math.max(1, width - RIGHT - left) / places.length;
  const bar = Math.min(room * FILLED, WIDEST);
  const toY = linear([0, axis.max], [height - bottom, TOP]);
  const positions = places.map((_, place) => left + room * (place + 0.5));
  const columns = series.map((one, index) => ({ key: one.key, name: one.name, color: one.color ?? index }));
  const named = new Set(
    broken ? labelled(places.length, width - left, Math.max(...places.flatMap(linesOf).map(roomOf))) : all,
  );
  const readings = (place: number): Reading[] =>
    columns.map((column, index) => {
      const value = series[index]?.values[place] ?? null;
      return { ...column, text: value === null ? (props.why?.[place] ?? '—') : format(value) };
    });
  return (
    <PlotArea
      box={box}
      width={width}
      height={height}
      positions={positions}
      readings={readings}
      columns={columns}
      places={places}
      label={props.label}
      placeTitle={props.placeTitle}
      pick={(at) => nearest(positions, at)}
    >
      {(at) => (
        <>
          <Grid axis={axis.ticks} toY={toY} left={left} right={width - RIGHT} tick={tick} />
          {places.map((name, place) => {
            const middle = positions[place] ?? 0;
            let below = 0;
            return (
              <g key={name} className={at !== null && at !== place ? 'chart-away' : undefined}>
                {series.map((one, index) => {
                  const value = one.values[place] ?? 0;
                  if (value <= 0) return null;
                  const [from, to] = [toY(below), toY(below + value)];
                  below += value;
                  return (
                    <rect
                      key={one.key}
                      className={`chart-bar ${colorOf(one.color ?? index)}`}
                      x={middle - bar / 2}
                      y={to}
                      width={bar}
                      height={Math.max(0.5, from - to - (from < height - bottom ? 1 : 0))}
                      rx={2}
                    />
                  );
                })}
                {named.has(place) && (
                  <text textAnchor="middle" className="chart-label">
                    {lines(name).map((line, index, { length }) => (
                      <tspan key={line} x={middle} y={height - 6 - (length - 1 - index) * LINE}>
                        {line}
                      </tspan>
                    ))}
                  </text>
                )}
              </g>
            );
          })}
        </>
      )}
    </PlotArea>
  );
}

const linesOf = (name: string): string[] => name.split(' ');

/** Estimates pixels; Chinese characters are as wide as high. */
const roomOf = (name: string): number => [...name].reduce((sum, each) => sum + (each > '⺀' ? 12 : CHARACTER), 6);
