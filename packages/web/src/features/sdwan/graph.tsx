import type { DeviceStatus } from '@yunxun/contract';
import { type KeyboardEvent, useMemo } from 'react';
import { t } from '../../app/i18n.ts';
import { DeviceDrawing } from '../../ui/device/device-drawing.tsx';
import { ShortName } from '../../ui/short-name.tsx';
import { badgeHeight, badgeWidth, placeBadges } from './graph-badges.ts';
import { type GraphNode, nodeSize, nodesToDraw, place, type SdwanType } from './graph-layout.ts';
import { lineOf } from './line.ts';

export interface GraphLink {
  from: string;
  to: string;
  state: 'up' | 'down' | null;
  /** In its title: latency and loss. */
  note?: string;
  /** Written on the link. */
  badge?: string;
  /** Drawn dashed: it carries nothing now. */
  idle?: boolean;
  detour?: boolean;
}

interface Props<N> {
  type: SdwanType;
  nodes: readonly N[];
  links: readonly GraphLink[];
  noteOf: (node: N) => string;
  toneOf: (node: N) => string;
  /** Of its gateway; a plan has none. */
  statusOf?: (node: N) => DeviceStatus;
  chosen?: string | null;
  onChoose: (key: string) => void;
}

/** Tables beside it serve screen readers and large networks. */
export function Graph<N extends GraphNode>(props: Props<N>) {
  const { type, nodes, links, chosen } = props;
  const first = useMemo(
    () =>
      new Set([
        ...(chosen ? [chosen] : []),
        ...links.filter(({ state }) => state === 'down').flatMap(({ from, to }) => [from, to]),
      ]),
    [links, chosen],
  );
  const drawn = useMemo(() => nodesToDraw(nodes, first), [nodes, first]);
  const { points, width, height } = useMemo(() => place(type, drawn), [type, drawn]);
  const seen = links.filter(({ from, to }) => points.has(from) && points.has(to));
  const nameOf = (key: string) => drawn.find((node) => node.key === key)?.name ?? key;
  const isNear = ({ from, to }: GraphLink) => chosen === from || chosen === to;
  const rank = (link: GraphLink) => (isNear(link) ? 0 : link.state === 'down' ? 1 : 2);
  const spots = placeBadges(
    points,
    seen.toSorted((a, b) => rank(a) - rank(b)),
  );
  return (
    <div className="sdwan-graph">
      <svg
        aria-label={t('sdwan.drawing', { n: drawn.length })}
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: Math.max(width, 320), minWidth: Math.min(width, 720) }}
      >
        {seen.map((link) => {
          const [a, b] = [points.get(link.from)!, points.get(link.to)!];
          return (
            <g key={`${link.from} ${link.to}`} className={classOf(link, isNear(link))}>
              <title>
                {t('sdwan.link_between', {
                  from: nameOf(link.from),
                  to: nameOf(link.to),
                  note: link.note ?? '',
                })}
              </title>
              <path d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />
            </g>
          );
        })}
        {[...spots].map(([link, spot]) => (
          <g key={`${link.from} ${link.to}`} className={classOf(link, isNear(link))}>
            <Badge at={spot} text={link.badge!} />
          </g>
        ))}
        {drawn.map((node) => {
          const { x, y } = points.get(node.key)!;
          const act = () => props.onChoose(node.key);
          const note = props.noteOf(node);
          return (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button
            <g
              key={node.key}
              role="button"
              tabIndex={0}
              aria-pressed={chosen === node.key}
              aria-label={`${node.name}, ${note}`}
              data-hint={node.name}
              className={`sdwan-node sdwan-${props.toneOf(node)}`}
              transform={`translate(${x - nodeSize.width / 2} ${y - nodeSize.height / 2})`}
              onClick={act}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                act();
              }}
            >
              <rect {...nodeSize} rx="6" />
              <rect className="sdwan-mark" x="0.5" y="0.5" width="4" height={nodeSize.height - 1} rx="2" />
              <DeviceDrawing
                kind="gateway"
                size={48}
                status={props.statusOf?.(node) ?? null}
                x={10}
                y={(nodeSize.height - 36) / 2}
              />
              <foreignObject x="66" y="0" width={nodeSize.width - 74} height={nodeSize.height}>
                <div className="sdwan-text">
                  <ShortName>{node.name}</ShortName> <small className="ellipsis">{note}</small>
                </div>
              </foreignObject>
            </g>
          );
        })}
      </svg>
      {drawn.length < nodes.length && (
        <p className="small dim">{t('sdwan.not_drawn', { drawn: drawn.length, all: nodes.length })}</p>
      )}
    </div>
  );
}

/** Covers the lines, so that nothing crosses the figure. */
function Badge({ at, text }: { at: { x: number; y: number }; text: string }) {
  const width = badgeWidth(text);
  return (
    <g className="sdwan-badge">
      <rect x={at.x - width / 2} y={at.y - badgeHeight / 2} width={width} height={badgeHeight} rx="9" />
      <text x={at.x} y={at.y + 4} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

const classOf = (link: GraphLink, near: boolean): string =>
  `sdwan-link sdwan-link-${lineOf(link)}${near ? ' sdwan-near' : ''}`;
