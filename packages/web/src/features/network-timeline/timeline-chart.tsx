import { area, curveMonotoneX } from 'd3-shape';
import { useMemo } from 'react';
import { t } from '../../app/i18n.ts';
import { axisOf, linear, nearest, roundTimes } from '../../ui/chart/axis.ts';
import { colorOf, PlotArea, useWidth } from '../../ui/chart/frame.tsx';
import { Grid } from '../../ui/chart/line-chart.tsx';
import { CHARACTER, MARK, type Point, path, RIGHT } from '../../ui/chart/line-path.ts';
import { clock, date, minuteOfDay, shortTime } from '../../ui/format.ts';
import { lookBackMs, type Timeline } from './mark.ts';
import { MarkBand, MarkShades } from './mark-band.tsx';
import type { PanelOf } from './panels.ts';

/** Pixels: marks, panel with title, axis. */
const BAND = 36;
const PANEL = 104;
const TITLE = 24;
const AXIS = 26;
/** Width of a time label, pixels. */
const LABEL = 68;

interface Props {
  data: Timeline;
  panels: readonly PanelOf[];
  /** The bucket that was chosen to look back from. */
  chosen: number | null;
  choose: (place: number) => void;
  zoom: (first: number, last: number) => void;
  unzoom: () => void;
}

/** Begin and end of a bucket, milliseconds. */
export function bucketOf(data: Timeline, place: number): [from: number, to: number] {
  const from = Date.parse(data.from) + place * data.step_s * 1000;
  return [from, Math.min(from + data.step_s * 1000, Date.parse(data.to))];
}

/** Milliseconds; the last bucket includes later events. */
export function lookBack(data: Timeline, place: number): [from: number, to: number] {
  const [from, to] = bucketOf(data, place);
  return [from - lookBackMs, place === data.down.length - 1 ? Date.parse(data.as_of) : to];
}

/** Shares time axis and cursor; marks are above. */
export function TimelineChart({ data, panels, chosen, choose, zoom, unzoom }: Props) {
  const [box, width] = useWidth();
  const [from, to] = [Date.parse(data.from), Date.parse(data.as_of)];
  const scales = panels.map((panel) => {
    const values = panel.lines.flatMap((one) => one.values.filter((value) => value !== null));
    return axisOf(values, panel.axis, panel.max);
  });
  const labels = scales.flatMap((scale, index) => scale.ticks.map(panels[index]!.format));
  const left = Math.max(28, ...labels.map((label) => label.length * CHARACTER + 10));
  const right = Math.max(left + 1, width - RIGHT);
  const height = BAND + panels.length * PANEL + AXIS;
  const bottom = height - AXIS;
  const toX = linear([from, to], [left, right]);
  const buckets = data.down.map((_, place) => bucketOf(data, place));
  const positions = buckets.map(([begin, end]) => toX((begin + end) / 2));
  const times = useMemo(() => timesOf(from, to, right - left), [from, to, right, left]);
  const columns = panels.flatMap(({ lines }) => lines.map(({ key, name, color }) => ({ key, name, color })));
  const readings = (place: number) =>
    panels.flatMap(({ lines, format }) =>
      lines.map(({ key, name, color, values }) => {
        const value = values[place] ?? null;
        return { key, name, color, text: value === null ? t('chart.gap') : format(value) };
      }),
    );
  const back = chosen === null ? null : lookBack(data, chosen);
  return (
    <PlotArea
      box={box}
      width={width}
      height={height}
      positions={positions}
      readings={readings}
      columns={columns}
      choose={choose}
      zoom={zoom}
      unzoom={unzoom}
      label={t('timeline.label')}
      places={buckets.map(([begin, end]) =>
        t('timeline.span_of_bucket', { from: shortTime(new Date(begin)), to: clock(new Date(end)) }),
      )}
      placeTitle={t('chart.time')}
      pick={(x) => nearest(positions, x)}
    >
      {(at) => (
        <>
          {back && (
            <rect
              className="timeline-back"
              x={Math.max(left, toX(back[0]))}
              width={toX(back[1]) - Math.max(left, toX(back[0]))}
              y={BAND}
              height={bottom - BAND}
            />
          )}
          <MarkShades marks={data.marks} toX={toX} from={from} to={to} top={BAND} bottom={bottom} />
          {panels.map((panel, index) => (
            <Panel
              key={panel.key}
              panel={panel}
              scale={scales[index]!}
              top={BAND + index * PANEL}
              left={left}
              right={right}
              positions={positions}
              at={at}
            />
          ))}
          {times.map((moment) => (
            <g key={moment}>
              <line className="chart-grid" x1={toX(moment)} x2={toX(moment)} y1={bottom} y2={bottom + MARK} />
              <text
                x={Math.min(toX(moment), right - LABEL / 4)}
                y={height - 6}
                className="chart-label"
                textAnchor="middle"
              >
                {timeLabel(moment)}
              </text>
            </g>
          ))}
          {at !== null && <line className="chart-cross" x1={positions[at]} x2={positions[at]} y1={BAND} y2={bottom} />}
          <MarkBand marks={data.marks} toX={toX} from={from} to={to} height={BAND} />
        </>
      )}
    </PlotArea>
  );
}

/** Midnight is the date that begins. */
function timeLabel(moment: number): string {
  const at = new Date(moment);
  return minuteOfDay(at) === 0 ? date(at).slice(5) : clock(at);
}

/** Of many midnights every second, third… */
function timesOf(from: number, to: number, width: number): number[] {
  const times = roundTimes([from, to], width, (at) => minuteOfDay(new Date(at)), LABEL);
  const every = Math.max(1, Math.ceil(times.length / Math.max(1, Math.floor(width / LABEL))));
  return times.filter((_, index) => index % every === 0);
}

function Panel(props: {
  panel: PanelOf;
  scale: ReturnType<typeof axisOf>;
  top: number;
  left: number;
  right: number;
  positions: readonly number[];
  at: number | null;
}) {
  const { panel, scale, top, left, right, positions, at } = props;
  const bottom = top + PANEL - 4;
  const toY = linear([scale.min, scale.max], [bottom, top + TITLE]);
  const fill = area<Point>()
    .defined(([, y]) => y !== null)
    .x(([x]) => x)
    .y0(bottom)
    .y1(([, y]) => y ?? 0)
    .curve(curveMonotoneX);
  return (
    <g>
      <text x={left} y={top + TITLE - 9} className="chart-label timeline-panel">
        {panel.title}
      </text>
      <Grid axis={scale.ticks} toY={toY} left={left} right={right} tick={panel.format} />
      {panel.lines.map((one, index) => {
        const points = positions.map((x, place): Point => {
          const value = one.values[place] ?? null;
          return [x, value === null ? null : toY(value)];
        });
        const alone = (place: number) =>
          (points[place - 1]?.[1] ?? null) === null && (points[place + 1]?.[1] ?? null) === null;
        return (
          <g key={one.key} className={colorOf(one.color)}>
            {panel.lines.length === 1 && <path className="chart-area" d={fill(points) ?? ''} />}
            <path className="chart-line" data-dash={index} d={path(points) ?? ''} />
            {points.map(
              ([x, y], place) =>
                y !== null &&
                (place === at || alone(place)) && (
                  <circle key={x} className="chart-dot" cx={x} cy={y} r={place === at ? 4 : 3} />
                ),
            )}
          </g>
        );
      })}
    </g>
  );
}
