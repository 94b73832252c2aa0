import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { t } from '../../app/i18n.ts';
import { LevelShape, levelTone } from '../../ui/alarm-level.tsx';
import { count } from '../../ui/format.ts';
import { BaseMap, type BaseTiles } from './base-map.tsx';
import { LandLayer } from './land-layer.tsx';
import {
  type Cluster,
  clustersOf,
  gridStep,
  type MapPoint,
  nearest,
  project,
  unproject,
  type View,
  worstLevelOf,
} from './plane.ts';

interface Props {
  points: readonly MapPoint[];
  tiles: BaseTiles | null;
  view: View;
  size: { width: number; height: number };
  frame: RefObject<HTMLDivElement | null>;
  placing: boolean;
  chosen: string | null;
  onView(view: View): void;
  onOpen(cluster: Cluster): void;
  onPlace(at: { lat: number; lng: number }): void;
}

export function Board(props: Props) {
  const { points, tiles, view, size, frame, placing, onView, onPlace } = props;
  const { width, height } = size;
  const middle = project(view, view.zoom);
  const corner = { x: middle.x - width / 2, y: middle.y - height / 2 };
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const moved = (dx: number, dy: number): View => ({
    ...unproject({ x: middle.x + dx, y: middle.y + dy }, view.zoom),
    zoom: view.zoom,
  });
  const latest = useRef({ view, corner, onView });
  latest.current = { view, corner, onView };
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    // React's wheel listener is passive and could not prevent scrolling
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = latest.current;
      const box = element.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      now.onView(zoomed(now.view, now.corner, at, box, event.deltaY < 0 ? 1 : -1));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [frame]);
  const down = (event: PointerEvent) => {
    if (event.button === 0 && !(event.target as Element).closest('[role=button]'))
      drag.current = { x: event.clientX, y: event.clientY, moved: false };
  };
  const move = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) return;
    const [dx, dy] = [from.x - event.clientX, from.y - event.clientY];
    if (!from.moved && Math.hypot(dx, dy) < 4) return;
    drag.current = { x: event.clientX, y: event.clientY, moved: true };
    onView(moved(dx, dy));
  };
  const up = (event: PointerEvent) => {
    const pressed = drag.current !== null && !drag.current.moved;
    drag.current = null;
    if (!pressed || !placing) return;
    const box = event.currentTarget.getBoundingClientRect();
    onPlace(unproject({ x: corner.x + event.clientX - box.left, y: corner.y + event.clientY - box.top }, view.zoom));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] }[event.key];
    const nearer = { '+': 1, '=': 1, '-': -1 }[event.key];
    if (step) onView(moved(step[0]!, step[1]!));
    else if (nearer) onView({ ...view, zoom: clampZoom(view.zoom + nearer) });
    else if (event.key === 'Enter' && placing && event.target === event.currentTarget) onPlace(view);
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={placing ? 'map-frame map-placing' : 'map-frame'}
      ref={frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keyboard too
      tabIndex={0}
      role="application"
      aria-label={t('map.board')}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerLeave={() => {
        drag.current = null;
      }}
      onKeyDown={press}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the frame around it says what it is */}
      <svg width={width} height={height}>
        <LandLayer corner={corner} size={size} zoom={view.zoom} />
        <Grid view={view} corner={corner} size={size} />
      </svg>
      {tiles && <BaseMap tiles={tiles} view={view} size={size} />}
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the frame around it says what it is */}
      <svg width={width} height={height}>
        {clustersOf(points, view.zoom)
          .map((cluster) => ({ cluster, x: cluster.x - corner.x, y: cluster.y - corner.y }))
          .filter(({ x, y }) => x > -40 && y > -40 && x < width + 40 && y < height + 40)
          .map(({ cluster, x, y }) => (
            <Mark key={cluster.id} cluster={cluster} x={x} y={y} chosen={props.chosen} onOpen={props.onOpen} />
          ))}
        {placing && (
          <path d={`M${width / 2 - 9} ${height / 2}h18M${width / 2} ${height / 2 - 9}v18`} className="map-aim" />
        )}
      </svg>
    </div>
  );
}

export const clampZoom = (zoom: number) => Math.max(0, Math.min(nearest, zoom));

function zoomed(
  view: View,
  corner: { x: number; y: number },
  at: { x: number; y: number },
  box: { width: number; height: number },
  step: number,
): View {
  const zoom = clampZoom(view.zoom + step);
  if (zoom === view.zoom) return view;
  const place = project(unproject({ x: corner.x + at.x, y: corner.y + at.y }, view.zoom), zoom);
  return { ...unproject({ x: place.x - at.x + box.width / 2, y: place.y - at.y + box.height / 2 }, zoom), zoom };
}

function Grid({ view, corner, size }: { view: View; corner: { x: number; y: number }; size: Props['size'] }) {
  const step = gridStep(view.zoom);
  const upper = unproject(corner, view.zoom);
  const lower = unproject({ x: corner.x + size.width, y: corner.y + size.height }, view.zoom);
  const between = (from: number, to: number) => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, n) => (first + n) * step);
  };
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const degrees = (value: number, [plus, minus]: readonly [string, string]) =>
    `${Math.abs(value).toFixed(digits)}°${value === 0 ? '' : value > 0 ? plus : minus}`;
  return (
    <g>
      {between(upper.lng, lower.lng).map((lng) => {
        const x = project({ lat: 0, lng }, view.zoom).x - corner.x;
        return (
          <g key={`x${lng.toFixed(4)}`}>
            <line x1={x} x2={x} y1={0} y2={size.height} className="map-line" />
            <text x={x + 4} y={size.height - 6} className="map-degrees">
              {degrees(lng, ['E', 'W'])}
            </text>
          </g>
        );
      })}
      {between(lower.lat, upper.lat).map((lat) => {
        const y = project({ lat, lng: 0 }, view.zoom).y - corner.y;
        return (
          <g key={`y${lat.toFixed(4)}`}>
            <line x1={0} x2={size.width} y1={y} y2={y} className="map-line" />
            <text x={4} y={y - 4} className="map-degrees">
              {degrees(lat, ['N', 'S'])}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Shape per status, because colour alone is not accessible. */
const shapes: Readonly<Record<MapPoint['status'], string>> = {
  online: 'M0 -6a6 6 0 1 1 0 12a6 6 0 1 1 0 -12z',
  offline: 'M-6 -3 -3 -6 0 -3 3 -6 6 -3 3 0 6 3 3 6 0 3 -3 6 -6 3 -3 0z',
  restarting: 'M0 -7 7 6H-7z',
  never_connected: 'M0 -7 7 0 0 7-7 0z',
  unknown: 'M-5 -5H5V5H-5z',
};

function Mark(props: {
  cluster: Cluster;
  x: number;
  y: number;
  chosen: string | null;
  onOpen: (cluster: Cluster) => void;
}) {
  const { cluster, x, y, onOpen } = props;
  const many = cluster.points.length;
  const [only] = cluster.points;
  const word = t(`status.${cluster.status}`);
  const act = () => onOpen(cluster);
  const place =
    many > 1 ? t('map.cluster', { n: many, status: word }) : t('map.point', { name: only!.remark, status: word });
  const level = worstLevelOf(cluster.points);
  const label = level ? t('map.with_alarms', { place, level: t(`alarm_level.${level}`) }) : place;
  const isChosen = cluster.points.some(({ gwid }) => gwid === props.chosen);
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button
    <g
      role="button"
      tabIndex={0}
      aria-label={label}
      className={`map-mark map-${cluster.status}${isChosen ? ' map-chosen' : ''}`}
      transform={`translate(${x} ${y})`}
      onClick={act}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        act();
      }}
    >
      {many > 1 ? (
        <>
          <circle r={16 + Math.min(10, Math.log2(many) * 2)} className="map-ring" />
          <text y={4} textAnchor="middle">
            {count(many)}
          </text>
        </>
      ) : (
        <>
          <circle r={12} className="map-ring" />
          <path d={shapes[cluster.status]} className="map-shape" />
          <text x={level ? 20 : 16} y={4} className="map-name">
            {only!.remark}
          </text>
        </>
      )}
      {level && (
        <g
          className={`map-level map-level-${levelTone(level)}`}
          transform={many > 1 ? 'translate(15 -15)' : 'translate(10 -10)'}
        >
          <circle r={8} />
          <g transform="translate(-5 -5)">
            <LevelShape level={level} />
          </g>
        </g>
      )}
    </g>
  );
}
