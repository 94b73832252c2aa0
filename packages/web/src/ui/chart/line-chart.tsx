import { area, curveMonotoneX } from 'd3-shape';
import { type ReactNode, useMemo } from 'react';
import { t } from '../../app/i18n.ts';
import { minuteOfDay } from '../format.ts';
import { type AxisKind, axisOf, hasValues, labelled, linear, nearest, roundTimes } from './axis.ts';
import { colorOf, NoData, PlotArea, type Reading, useWidth } from './frame.tsx';
import { CHARACTER, MARK, type Point, path, RIGHT } from './line-path.ts';

export interface LineSeries {
  key: string;
  name: string;
  /** Null is a gap. */
  values: readonly (number | null)[];
  previous?: readonly (number | null)[];
  area?: boolean;
  /** Palette index; default: of the series. */
  color?: number;
}

interface Props {
  label: string;
  /** Milliseconds, ascending. */
  x: readonly number[];
  xLabel: (at: number) => string;
  /** For tooltip and table, unique per place; default: `xLabel`. */
  xTitle?: (at: number) => string;
  clock?: boolean;
  series: readonly LineSeries[];
  format: (value: number) => string;
  tick?: (value: number) => string;
  axis?: AxisKind;
  /** Such as 100 percent. */
  max?: number;
  height?: number;
  none?: ReactNode;
  /** Replaces null values. */
  why?: readonly (string | null)[];
}

const TOP = 10;
const BOTTOM = 26;
/** Pixels. */
const HALF_LABEL = 18;

/** Draws a value between two gaps as a dot. */
export function LineChart(props: Props) {
  const { x, series, format, height = 240, axis: kind = 'count' } = props;
  const [box, width] = useWidth();
  const [first = 0, last = 0] = [x[0], x.at(-1)];
  const marks = useMemo(
    () => (props.clock ? roundTimes([first, last], width, (at) => minuteOfDay(new Date(at))) : null),
    [props.clock, first, last, width],
  );
  const all = series.flatMap(({ values, previous }) => [...values, ...(previous ?? [])]);
  if (!all.some((value) => value !== null) || (kind !== 'number' && !hasValues(all))) {
    return <NoData height={height}>{props.none}</NoData>;
  }
  const { min, ...axis } = axisOf(
    all.filter((value) => value !== null),
    kind,
    props.max,
  );
  const tick = props.tick ?? format;
  const left = Math.max(28, ...axis.ticks.map((value) => tick(value).length * CHARACTER + 10));
  const toX = linear(first === last ? [first - 1, last + 1] : [first, last], [left, Math.max(left + 1, width - RIGHT)]);
  const toY = linear([min, axis.max], [height - BOTTOM, TOP]);
  const positions = x.map((at) => toX(at));
  const points = (values: readonly (number | null)[]): Point[] =>
    positions.map((place, index) => {
      const value = values[index] ?? null;
      return [place, value === null ? null : toY(value)];
    });
  const title = props.xTitle ?? props.xLabel;
  const columns = series.flatMap((one, index): Omit<Reading, 'text'>[] => {
    const color = one.color ?? index;
    const before = { key: `${one.key} before`, name: t('chart.before', { name: one.name }), color, ghost: true };
    return [{ key: one.key, name: one.name, color }, ...(one.previous ? [before] : [])];
  });
  const readings = (place: number): Reading[] =>
    series
      .flatMap((one) => [
        { values: one.values, gap: props.why?.[place] },
        ...(one.previous ? [{ values: one.previous, gap: null }] : []),
      ])
      .map(({ values, gap }, index) => {
        const value = values[place] ?? null;
        return { ...columns[index]!, text: value === null ? (gap ?? t('chart.gap')) : format(value) };
      });
  return (
    <PlotArea
      box={box}
      width={width}
      height={height}
      positions={positions}
      readings={readings}
      columns={columns}
      label={props.label}
      places={x.map(title)}
      placeTitle={t('chart.time')}
      pick={(at) => nearest(positions, at)}
    >
      {(at) => (
        <>
          <Grid axis={axis.ticks} toY={toY} left={left} right={width - RIGHT} tick={tick} />
          {marks?.map((moment) => {
            const place = toX(moment);
            const atEnd = place > width - RIGHT - HALF_LABEL;
            return (
              <g key={moment}>
                <line className="chart-grid" x1={place} x2={place} y1={height - BOTTOM} y2={height - BOTTOM + MARK} />
                <text
                  x={atEnd ? width - 2 : place}
                  y={height - 6}
                  className="chart-label"
                  textAnchor={atEnd ? 'end' : 'middle'}
                >
                  {props.xLabel(moment)}
                </text>
              </g>
            );
          })}
          {(marks ? [] : labelled(x.length, width - left)).map((place) => (
            <text
              key={place}
              x={positions[place]}
              y={height - 6}
              className="chart-label"
              textAnchor={place === x.length - 1 && x.length > 1 ? 'end' : 'middle'}
              dx={place === x.length - 1 && x.length > 1 ? RIGHT - 2 : 0}
            >
              {props.xLabel(x[place] ?? 0)}
            </text>
          ))}
          {at !== null && (
            <line className="chart-cross" x1={positions[at]} x2={positions[at]} y1={TOP} y2={height - BOTTOM} />
          )}
          {series.map((one, index) => {
            const drawn = points(one.values);
            const fill = area<Point>()
              .defined(([, y]) => y !== null)
              .x(([place]) => place)
              .y0(height - BOTTOM)
              .y1(([, y]) => y ?? 0)
              .curve(curveMonotoneX);
            return (
              <g key={one.key} className={colorOf(one.color ?? index)}>
                {one.previous && <path className="chart-ghost" d={path(points(one.previous)) ?? ''} />}
                {one.area && <path className="chart-area" d={fill(drawn) ?? ''} />}
                <path className="chart-line" data-dash={index} d={path(drawn) ?? ''} />
                {drawn.map(
                  ([place, y], point) =>
                    y !== null &&
                    (point === at || alone(drawn, point)) && (
                      <circle key={place} className="chart-dot" cx={place} cy={y} r={point === at ? 5 : 4} />
                    ),
                )}
              </g>
            );
          })}
        </>
      )}
    </PlotArea>
  );
}

const alone = (points: readonly Point[], at: number): boolean =>
  (points[at - 1]?.[1] ?? null) === null && (points[at + 1]?.[1] ?? null) === null;

export function Grid(props: {
  axis: readonly number[];
  toY: (value: number) => number;
  left: number;
  right: number;
  tick: (value: number) => string;
}) {
  return props.axis.map((value) => (
    <g key={value}>
      <line className="chart-grid" x1={props.left} x2={props.right} y1={props.toY(value)} y2={props.toY(value)} />
      <text x={props.left - 8} y={props.toY(value) + 4} textAnchor="end" className="chart-label">
        {props.tick(value)}
      </text>
    </g>
  ));
}
