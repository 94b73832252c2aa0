import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../../app/i18n.ts';
import './chart.css';

export interface Reading {
  key: string;
  name: string;
  color: number;
  text: string;
  ghost?: boolean;
}

export const colorOf = (index: number): string => `series-${(index % 6) + 1}`;

/** Returns pixels; 0 before the first layout. The element may mount later. */
export function useWidth(): [Ref<HTMLDivElement>, number] {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}

export function Swatch({ color, ghost }: { color: number; ghost?: boolean | undefined }) {
  return <i className={`swatch ${colorOf(color)}`} data-ghost={ghost || undefined} aria-hidden="true" />;
}

export function Legend({ items }: { items: readonly Pick<Reading, 'key' | 'name' | 'color' | 'ghost'>[] }) {
  return (
    <ul className="legend">
      {items.map((item) => (
        <li key={item.key}>
          <Swatch color={item.color} ghost={item.ghost} />
          {item.name}
        </li>
      ))}
    </ul>
  );
}

interface Plot {
  label: string;
  height: number;
  width: number;
  box: Ref<HTMLDivElement>;
  places: readonly string[];
  /** Pixels from the left. */
  positions: readonly number[];
  readings: (place: number) => readonly Reading[];
  columns: readonly { key: string; name: string }[];
  placeTitle: string;
  pick: (x: number) => number;
  choose?: ((place: number) => void) | undefined;
  /** Shows only these places: dragged over, or half of them around the cursor by `+`. */
  zoom?: ((first: number, last: number) => void) | undefined;
  /** By `-`. */
  unzoom?: (() => void) | undefined;
  children: (at: number | null) => ReactNode;
}

/** Draws plot, crosshair, tooltip, and a table for screen readers. */
export function PlotArea(props: Plot) {
  const { places, positions, width, height, readings } = props;
  const [chosen, setAt] = useState<number | null>(null);
  const at = chosen !== null && chosen < places.length ? chosen : null;
  const last = places.length - 1;
  const brush = useBrush(props);
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return setAt(null);
    if (event.key === 'Enter') return props.choose?.(at ?? last);
    if (event.key === '+' || event.key === '=') return props.zoom?.(...halfAround(at ?? last, last));
    if (event.key === '-') return props.unzoom?.();
    const from = at ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, at === null ? from : to)));
  };
  const labelAt = (place: number) =>
    `${places[place]}: ${readings(place)
      .map(({ name, text }) => `${name} ${text}`)
      .join(', ')}`;
  return (
    <div className="chart" ref={props.box} style={{ height }}>
      {width > 0 && (
        <>
          <div
            className="chart-plot"
            role="slider"
            tabIndex={0}
            aria-label={props.label}
            aria-readonly="true"
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={at ?? last}
            aria-valuetext={labelAt(at ?? last)}
            onKeyDown={move}
            onBlur={() => setAt(null)}
            onPointerDown={brush.down}
            onPointerMove={(event) => {
              brush.move(event);
              setAt(props.pick(leftOf(event)));
            }}
            onPointerUp={brush.up}
            onPointerLeave={() => setAt(null)}
            onPointerCancel={brush.cancel}
            onClick={(event) => {
              if (!brush.ended()) props.choose?.(props.pick(leftOf(event)));
            }}
          >
            <svg width={width} height={height} aria-hidden="true">
              {props.children(at)}
              {brush.part && (
                <rect
                  className="chart-brush"
                  x={Math.min(...brush.part)}
                  width={Math.abs(brush.part[1] - brush.part[0])}
                  height={height}
                />
              )}
            </svg>
          </div>
          {at !== null && (
            <div
              className="chart-tip"
              aria-hidden="true"
              data-side={(positions[at] ?? 0) > width * 0.6 ? 'left' : 'right'}
              style={{ left: positions[at] ?? 0 }}
            >
              <strong>{places[at]}</strong>
              <dl>
                {readings(at).map((reading) => (
                  <div key={reading.key}>
                    <dt>
                      <Swatch color={reading.color} ghost={reading.ghost} />
                      {reading.name}
                    </dt>
                    <dd>{reading.text}</dd>
                  </div>
                ))}
              </dl>
            </div>
          )}
        </>
      )}
      <Values
        places={places}
        readings={readings}
        label={props.label}
        placeTitle={props.placeTitle}
        columns={props.columns}
      />
    </div>
  );
}

const leftOf = (event: MouseEvent<Element>): number => event.clientX - event.currentTarget.getBoundingClientRect().left;

/** Keeps an even number on both sides where the ends allow it. */
function halfAround(at: number, last: number): [first: number, last: number] {
  const span = Math.max(1, Math.floor(last / 2));
  const first = Math.max(0, Math.min(last - span, at - Math.floor(span / 2)));
  return [first, first + span];
}

/** Pixels that tell a drag from a click. */
const LEAST_DRAG = 6;

/** Zooms to what the pointer is dragged over. */
function useBrush({ zoom, pick }: Pick<Plot, 'zoom' | 'pick'>) {
  const [part, setPart] = useState<[from: number, to: number] | null>(null);
  const from = useRef<number | null>(null);
  const dragged = useRef(false);
  const cancel = () => {
    from.current = null;
    setPart(null);
  };
  return {
    part,
    cancel,
    down(event: PointerEvent<Element>) {
      dragged.current = false;
      if (zoom && event.button === 0) from.current = leftOf(event);
    },
    move(event: PointerEvent<Element>) {
      const begin = from.current;
      const to = leftOf(event);
      if (begin === null || (!dragged.current && Math.abs(to - begin) < LEAST_DRAG)) return;
      // captured only now: a click on a mark keeps its target
      if (!dragged.current) event.currentTarget.setPointerCapture(event.pointerId);
      dragged.current = true;
      setPart([begin, to]);
    },
    up(event: PointerEvent<Element>) {
      const begin = from.current;
      cancel();
      if (begin === null || !dragged.current) return;
      const [first = 0, last = 0] = [pick(begin), pick(leftOf(event))].toSorted((a, b) => a - b);
      if (last > first) zoom?.(first, last);
    },
    /** Whether the click that follows ends a drag. */
    ended: () => dragged.current,
  };
}

/** Memoized: hundreds of rows, independent of the crosshair. */
const Values = memo(function Values(props: Pick<Plot, 'label' | 'places' | 'placeTitle' | 'columns' | 'readings'>) {
  return (
    // tables ignore a fixed height
    <div className="sr">
      <table>
        <caption>{props.label}</caption>
        <thead>
          <tr>
            <th scope="col">{props.placeTitle}</th>
            {props.columns.map((column) => (
              <th key={column.key} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.places.map((place, index) => (
            <tr key={place}>
              <th scope="row">{place}</th>
              {props.readings(index).map((reading) => (
                <td key={reading.key}>{reading.text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

export function NoData({ height, children }: { height?: number; children?: ReactNode }) {
  return (
    <div className="chart-none" style={height ? { minHeight: height } : undefined}>
      {children ?? t('chart.none')}
    </div>
  );
}
