import { type KeyboardEvent, useMemo } from 'react';
import { t } from '../../app/i18n.ts';
import { type GraphNode, maxDrawn, nodeSize, nodesToDraw, place, type SdwanType } from './graph-layout.ts';
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
  const few = seen.length <= maxDrawn * 2;
  return (
    <div className="sdwan-graph">
      <svg
        aria-label={t('sdwan.drawing', { n: drawn.length })}
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: Math.max(width, 320), minWidth: Math.min(width, 720) }}
      >
        {seen.map((link) => {
          const [a, b] = [points.get(link.from)!, points.get(link.to)!];
          const near = chosen === link.from || chosen === link.to;
          const at = type === 1 ? { x: a.x + (b.x - a.x) * 0.4, y: a.y + (b.y - a.y) * 0.4 } : middleOf(a, b);
          return (
            <g key={`${link.from} ${link.to}`} className={classOf(link, near)}>
              <title>
                {t('sdwan.link_between', {
                  from: nameOf(link.from),
                  to: nameOf(link.to),
                  note: link.note ?? '',
                })}
              </title>
              <path d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />
              {link.badge && (few || near) && <Badge at={at} text={link.badge} />}
            </g>
          );
        })}
        {drawn.map((node) => {
          const { x, y } = points.get(node.key)!;
          const act = () => props.onChoose(node.key);
          return (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button
            <g
              key={node.key}
              role="button"
              tabIndex={0}
              aria-pressed={chosen === node.key}
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
              <foreignObject x="10" y="0" width={nodeSize.width - 14} height={nodeSize.height}>
                <div className="sdwan-text">
                  <span className="ellipsis">{node.name}</span> <small className="ellipsis">{props.noteOf(node)}</small>
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

/** Covers the line, so that nothing crosses the figure. */
function Badge({ at, text }: { at: { x: number; y: number }; text: string }) {
  const width = 14 + [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? 11 : 6.4), 0);
  return (
    <g className="sdwan-badge">
      <rect x={at.x - width / 2} y={at.y - 9} width={width} height="18" rx="9" />
      <text x={at.x} y={at.y + 4} textAnchor="middle">
        {text}
      </text>
    </g>
  );
}

const middleOf = (a: { x: number; y: number }, b: { x: number; y: number }) => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
});

const classOf = (link: GraphLink, near: boolean): string =>
  `sdwan-link sdwan-link-${lineOf(link)}${near ? ' sdwan-near' : ''}`;
