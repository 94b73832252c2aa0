import { kindParts } from '@yunxun/contract/alarm-kinds';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { labelled, linear } from '../../ui/chart/axis.ts';
import { colorOf, useWidth } from '../../ui/chart/frame.tsx';
import { Grid } from '../../ui/chart/line-chart.tsx';
import { CHARACTER, type Point, path, RIGHT } from '../../ui/chart/line-path.ts';
import { shortTime } from '../../ui/format.ts';
import { type AlarmRow, valueText } from './labels.ts';
import { thresholdScale } from './threshold-scale.ts';
import './alarms.css';

type Curve = NonNullable<Data<'/api/v3/alarm_rule/levels'>['curve']>;

interface Props {
  kind: AlarmRow['kind'];
  curve: Curve;
  threshold: number;
  /** When the line rests: not while it is dragged. */
  onChange: (threshold: number) => void;
}

/** Pixels. */
const [HEIGHT, TOP, BOTTOM] = [200, 12, 24];
/** Values that Page Up and Page Down move. */
const PAGE = 10;

/** The past levels and the threshold as a line to drag, by pointer or by keys. */
export function ThresholdChart({ kind, curve, threshold, onChange }: Props) {
  const [box, width] = useWidth();
  const svg = useRef<SVGSVGElement>(null);
  // while the pointer holds the line
  const [held, setHeld] = useState<number | null>(null);
  const shown = held ?? threshold;
  const bounds = kindParts[kind].threshold ?? { min: 0, max: 100 };
  const reported = curve.values.filter((value) => value !== null);
  const format = (value: number) => valueText(kind, value);
  const scale = thresholdScale(bounds, reported, threshold);
  const left = Math.max(28, ...scale.ticks.map((value) => format(value).length * CHARACTER + 16));
  const right = Math.max(left + 1, width - RIGHT);
  const times = curve.values.map((_, n) => Date.parse(curve.from) + n * curve.step * 1000);
  const toX = linear([0, Math.max(1, times.length - 1)], [left, right]);
  const toY = linear([scale.min, scale.max], [HEIGHT - BOTTOM, TOP]);
  const toValue = linear([HEIGHT - BOTTOM, TOP], [scale.min, scale.max]);
  const points = curve.values.map((value, place): Point => [toX(place), value === null ? null : toY(value)]);
  const kept = (value: number) => Math.max(bounds.min, Math.min(bounds.max, Math.round(value)));
  const at = (event: PointerEvent) =>
    kept(Math.min(scale.max, toValue(event.clientY - (svg.current?.getBoundingClientRect().top ?? 0))));
  const press = (event: KeyboardEvent) => {
    const to = {
      ArrowUp: shown + 1,
      ArrowRight: shown + 1,
      ArrowDown: shown - 1,
      ArrowLeft: shown - 1,
      PageUp: shown + PAGE,
      PageDown: shown - PAGE,
      Home: bounds.min,
      End: bounds.max,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onChange(kept(to));
  };
  const y = toY(shown);
  return (
    <div className="threshold-chart" ref={box} style={{ height: HEIGHT }}>
      {width > 0 && (
        // biome-ignore lint/a11y/noSvgWithoutTitle: the slider inside says what it is
        <svg ref={svg} width={width} height={HEIGHT}>
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of lines and labels takes no focus */}
          <g aria-hidden="true">
            <Grid axis={scale.ticks} toY={toY} left={left} right={right} tick={format} />
            {labelled(times.length, width - left, 130).map((place) => (
              <text
                key={place}
                x={toX(place)}
                y={HEIGHT - 6}
                className="chart-label"
                textAnchor={place === times.length - 1 ? 'end' : 'middle'}
              >
                {shortTime(new Date(times[place]!))}
              </text>
            ))}
            <g className={colorOf(0)}>
              <path className="chart-line" d={path(points) ?? ''} />
            </g>
          </g>
          <g
            className="threshold-line"
            role="slider"
            tabIndex={0}
            aria-label={t('alarm.threshold')}
            aria-orientation="vertical"
            aria-valuemin={bounds.min}
            aria-valuemax={bounds.max}
            aria-valuenow={shown}
            aria-valuetext={format(shown)}
            onKeyDown={press}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setHeld(at(event));
            }}
            onPointerMove={(event) => held !== null && setHeld(at(event))}
            onPointerUp={() => {
              if (held !== null && held !== threshold) onChange(held);
              setHeld(null);
            }}
            onPointerCancel={() => setHeld(null)}
          >
            <rect className="threshold-target" x={left} y={y - 10} width={right - left} height={20} />
            <line x1={left} x2={right} y1={y} y2={y} />
            <rect className="threshold-handle" x={right - 24} y={y - 7} width={24} height={14} rx={7} />
            <text className="threshold-value" x={right - 32} y={y < TOP + 20 ? y + 18 : y - 8} textAnchor="end">
              {format(shown)}
            </text>
          </g>
        </svg>
      )}
    </div>
  );
}
