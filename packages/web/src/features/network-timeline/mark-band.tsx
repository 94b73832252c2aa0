import { t } from '../../app/i18n.ts';
import { shortTime } from '../../ui/format.ts';
import { type Mark, markKey, useOpenMark } from './mark.ts';

interface Props {
  marks: readonly Mark[];
  toX: (at: number) => number;
  /** Ends of the axis, milliseconds. */
  from: number;
  to: number;
}

/** Pixels to click at least. */
const LEAST = 8;
const isSpan = ({ kind }: Mark): boolean => kind === 'outage' || kind === 'console';

/** In pixels. */
function placeOf(mark: Mark, { toX, from, to }: Omit<Props, 'marks'>): [x: number, width: number] {
  const begin = Math.min(to, Math.max(from, Date.parse(mark.at)));
  const end = mark.until === null ? to : Math.min(to, Math.max(begin, Date.parse(mark.until)));
  return [toX(begin), toX(end) - toX(begin)];
}

/** Outages behind the lines, and a thin line for each other event. */
export function MarkShades({ top, bottom, marks, ...axis }: Props & { top: number; bottom: number }) {
  return marks.map((mark) => {
    const [x, width] = placeOf(mark, axis);
    return isSpan(mark) ? (
      <rect
        key={markKey(mark)}
        className="timeline-shade"
        data-kind={mark.kind}
        data-planned={mark.cause === 'planned' || undefined}
        x={x}
        y={top}
        width={Math.max(1, width)}
        height={bottom - top}
      />
    ) : (
      <line key={markKey(mark)} className="timeline-line" data-kind={mark.kind} x1={x} x2={x} y1={top} y2={bottom} />
    );
  });
}

/** Marks above the charts; the list below serves the keyboard. */
export function MarkBand({ marks, height, ...axis }: Props & { height: number }) {
  const open = useOpenMark();
  // points over spans, newer over older
  const ordered = marks.toReversed().toSorted((a, b) => Number(isSpan(b)) - Number(isSpan(a)));
  // spans have the upper lane, points the lower one: neither covers the other
  const row = height / 2;
  return ordered.map((mark) => {
    const [x, width] = placeOf(mark, axis);
    const span = isSpan(mark);
    const top = span ? 0 : row;
    const target = Math.max(LEAST, span ? width : 0);
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the drawing is hidden from readers; the list holds the same buttons
      <g
        key={markKey(mark)}
        className="timeline-mark"
        data-kind={mark.kind}
        data-planned={mark.cause === 'planned' || undefined}
        data-level={mark.alarm?.level}
        onClick={(event) => {
          event.stopPropagation();
          open(mark);
        }}
      >
        <title>
          {t('timeline.mark', {
            time: shortTime(new Date(mark.at)),
            event: mark.alarm?.text ?? t(`timeline.kind_${mark.kind}`),
          })}
        </title>
        <rect className="timeline-target" x={span ? x : x - target / 2} y={top} width={target} height={row} />
        {span ? (
          <rect x={x} y={top + row / 2 - 4} width={Math.max(3, width)} height={8} rx={2} />
        ) : (
          <path d={shapes[mark.kind as keyof typeof shapes]} transform={`translate(${x} ${top + row / 2})`} />
        )}
      </g>
    );
  });
}

/** Colour is not the only difference: diamond, triangle, square, circle. */
const shapes = {
  push: 'M0-6 6 0 0 6-6 0z',
  restart: 'M0-6 6 5H-6z',
  upgrade: 'M-5-5H5V5H-5z',
  alarm: 'M0-6A6 6 0 1 1 0 6A6 6 0 1 1 0-6z',
} as const;

export function MarkSign({ mark }: { mark: Pick<Mark, 'kind' | 'cause' | 'alarm'> }) {
  const { kind } = mark;
  return (
    <svg
      className="timeline-mark timeline-sign"
      data-kind={kind}
      data-planned={mark.cause === 'planned' || undefined}
      data-level={mark.alarm?.level}
      viewBox="-8 -8 16 16"
      width="14"
      height="14"
      aria-hidden="true"
    >
      {kind === 'outage' || kind === 'console' ? (
        <rect x={-7} y={-4} width={14} height={8} rx={2} />
      ) : (
        <path d={shapes[kind]} />
      )}
    </svg>
  );
}
