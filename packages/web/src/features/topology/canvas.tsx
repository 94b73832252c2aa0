import { type PointerEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Box } from './box.tsx';
import { bundlesOf, type Drawing, overlaps, type Part, placedIn, type TopologyNode } from './layout.ts';

interface Props {
  drawing: Drawing;
  /** 1 is 100 %. */
  zoom: number;
  found: ReadonlySet<string>;
  looked: string | null;
  onOpen(node: TopologyNode): void;
  onFold(id: string, what: 'boxes' | 'stations'): void;
}

/** Pixels beyond the viewport, for Tab and wheel; `grain`: step of the rendered part. */
const around = 600;
const grain = 300;

/** Renders the visible part: 2,000 nodes cost as much as 50. */
export function Canvas({ drawing, zoom, found, looked, onOpen, onFold }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number } | null>(null);
  const held = useRef<{ id: string; y: number } | null>(null);
  const latest = useRef({ drawing, zoom });
  latest.current = { drawing, zoom };
  const [part, setPart] = useState<Part>({ left: 0, top: 0, right: 2000, bottom: 1500 });
  const look = useCallback(() => {
    const element = frame.current;
    if (!element) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
    const down = (pixels: number) => (Math.floor((pixels - around) / grain) * grain) / latest.current.zoom;
    const up = (pixels: number) => (Math.ceil((pixels + around) / grain) * grain) / latest.current.zoom;
    const next = {
      left: down(scrollLeft),
      top: down(scrollTop),
      right: up(scrollLeft + clientWidth),
      bottom: up(scrollTop + clientHeight),
    };
    setPart((now) => (isSame(now, next) ? now : next));
  }, []);

  useLayoutEffect(() => {
    const element = frame.current!;
    // in a large network the gateway is far down: scroll to it
    const first = latest.current.drawing.placed[0];
    const y = (first?.y ?? 0) * latest.current.zoom;
    if (y > element.clientHeight - 80) element.scrollTop = y - element.clientHeight / 2;
    const gateway = latest.current.drawing.placed.find(({ node }) => node.kind === 'gateway');
    // a phone shows two columns: the internet says the least
    if (gateway && element.clientWidth < 500) element.scrollLeft = (gateway.x - 16) * latest.current.zoom;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    look();
    return () => observer.disconnect();
  }, [look]);

  useLayoutEffect(() => {
    const from = held.current;
    held.current = null;
    const to = from && drawing.placed.find(({ node }) => node.id === from.id);
    // keep the pressed toggle under the pointer
    if (to && frame.current) frame.current.scrollTop += (to.y - from.y) * zoom;
    look();
  }, [drawing, zoom, look]);

  useEffect(() => {
    const { drawing: now, zoom: size } = latest.current;
    const hit = now.placed.find(({ node }) => node.id === looked);
    const element = frame.current;
    if (!hit || !element) return;
    element.scrollTo(hit.x * size - element.clientWidth / 3, hit.y * size - element.clientHeight / 2);
  }, [looked]);

  const fold = useCallback(
    (id: string, what: 'boxes' | 'stations') => {
      const from = latest.current.drawing.placed.find(({ node }) => node.id === id);
      held.current = from ? { id, y: from.y } : null;
      onFold(id, what);
    },
    [onFold],
  );
  const move = (event: PointerEvent) => {
    if (!drag.current || !frame.current) return;
    frame.current.scrollBy(drag.current.x - event.clientX, drag.current.y - event.clientY);
    drag.current = { x: event.clientX, y: event.clientY };
  };
  const end = () => {
    drag.current = null;
  };
  const bundles = useMemo(() => bundlesOf(drawing), [drawing]);
  const seen = useMemo(() => placedIn(drawing, part), [drawing, part]);
  return (
    <div
      className="topo-frame"
      ref={frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
      tabIndex={0}
      onScroll={look}
      onPointerDown={(event) => {
        if (event.pointerType === 'mouse' && event.button === 0 && !(event.target as Element).closest('[role=button]'))
          drag.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={move}
      onPointerUp={end}
      onPointerLeave={end}
    >
      <svg
        aria-label={t('topology.drawing')}
        width={drawing.width * zoom}
        height={drawing.height * zoom}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        className={found.size > 0 ? 'topo topo-searching' : 'topo'}
      >
        {bundles
          .filter((bundle) => overlaps(bundle, part))
          .map(({ id, d, isLoose, pace }) => (
            <path key={id} d={d} className={`topo-line topo-line-${pace}${isLoose ? ' topo-loose' : ''}`} />
          ))}
        {seen.map((placed) => (
          <Box
            key={placed.node.id}
            placed={placed}
            onOpen={onOpen}
            onFold={fold}
            isFound={found.has(placed.node.id)}
            x={placed.x}
            y={placed.y}
          />
        ))}
      </svg>
    </div>
  );
}

function isSame(one: Part, other: Part): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}
