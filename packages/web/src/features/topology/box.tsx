import { type KeyboardEvent, memo } from 'react';
import { t } from '../../app/i18n.ts';
import { count } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { linkText, nodeIcons, noteOf, titleOf, toneOf } from './labels.ts';
import { box, leaf, type Placed, paceOf, type TopologyNode } from './layout.ts';

interface BoxProps {
  placed: Placed;
  isFound: boolean;
  x: number;
  y: number;
  onOpen(node: TopologyNode): void;
  onFold(id: string, what: 'boxes' | 'stations'): void;
}

const onEnter = (act: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  act();
};

export const Box = memo(
  function Box({ placed, isFound, x, y, onOpen, onFold }: BoxProps) {
    const { node, boxes, stations, open, lost } = placed;
    const size = node.kind === 'station' ? leaf : box;
    // the internet has no details
    const act = node.kind === 'internet' ? null : () => onOpen(node);
    const title = titleOf(node);
    const reported = node.kind === 'station' ? '' : linkText(node);
    return (
      <g
        transform={`translate(${x} ${y})`}
        data-id={node.id}
        className={`topo-node topo-${node.kind} topo-${toneOf(node)}${isFound ? ' topo-found' : ''}`}
      >
        {reported !== '' && (
          <text x={-6} y={box.height / 2 - 5} className={`topo-said topo-said-${paceOf(node)}`} textAnchor="end">
            {reported}
          </text>
        )}
        <g {...(act && { role: 'button', tabIndex: 0, onClick: act, onKeyDown: onEnter(act) })}>
          <rect width={size.width} height={size.height} rx="6" className="topo-box" />
          <rect x="0.5" y="0.5" width="4" height={size.height - 1} rx="2" className="topo-tone" />
          <g transform={`translate(10 ${size.height / 2 - 8})`} className="topo-icon">
            <Icon name={nodeIcons[node.kind]} size={16} />
          </g>
          <foreignObject x="32" y="0" width={size.width - 36} height={size.height}>
            <div className="topo-text">
              <span className="ellipsis">{title}</span>{' '}
              {node.kind !== 'station' && <small className="ellipsis">{noteOf(node)}</small>}
            </div>
          </foreignObject>
        </g>
        {node.apart && (
          <text x={4} y={-4} className="topo-said topo-apart">
            {t(`topology.apart_${node.apart}`)}
          </text>
        )}
        {boxes > 0 && (
          <Fold
            y={0}
            open={open.boxes}
            label={foldLabel(title, placed)}
            count={boxes}
            lost={lost}
            kind="boxes"
            act={() => onFold(node.id, 'boxes')}
          />
        )}
        {stations > 0 && (
          <Fold
            y={boxes > 0 ? 24 : 12}
            open={open.stations}
            label={t(open.stations ? 'topology.hide_stations' : 'topology.show_stations', { name: title, n: stations })}
            count={stations}
            lost={0}
            kind="stations"
            act={() => onFold(node.id, 'stations')}
          />
        )}
      </g>
    );
  },
  (a, b) =>
    a.placed.node === b.placed.node &&
    a.x === b.x &&
    a.y === b.y &&
    a.isFound === b.isFound &&
    a.placed.boxes === b.placed.boxes &&
    a.placed.stations === b.placed.stations &&
    a.placed.lost === b.placed.lost &&
    a.placed.open.boxes === b.placed.open.boxes &&
    a.placed.open.stations === b.placed.open.stations &&
    a.onOpen === b.onOpen &&
    a.onFold === b.onFold,
);

function foldLabel(name: string, { boxes: n, lost, open }: Placed): string {
  if (open.boxes) return t('topology.fold', { name, n });
  return lost > 0 ? t('topology.unfold_lost', { name, n, lost }) : t('topology.unfold', { name, n });
}

interface FoldProps {
  y: number;
  open: boolean;
  label: string;
  count: number;
  lost: number;
  kind: 'boxes' | 'stations';
  act: () => void;
}

function Fold(props: FoldProps) {
  const text = count(props.count);
  const width = 26 + text.length * 7;
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button
    <g
      role="button"
      tabIndex={0}
      aria-expanded={props.open}
      aria-label={props.label}
      className={props.lost > 0 ? 'topo-fold topo-lost' : 'topo-fold'}
      transform={`translate(${box.width - 6} ${props.y})`}
      onClick={props.act}
      onKeyDown={onEnter(props.act)}
    >
      <rect width={width} height="20" rx="10" />
      <path d={props.open ? 'M7 10h8' : 'M7 10h8M11 6v8'} />
      {props.kind === 'stations' && <circle cx={width - 2} cy="2" r="3" />}
      <text x="19" y="14">
        {text}
      </text>
    </g>
  );
}
