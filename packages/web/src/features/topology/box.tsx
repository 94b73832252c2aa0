import { Fragment, type KeyboardEvent, memo } from 'react';
import { t } from '../../app/i18n.ts';
import { DeviceDrawing } from '../../ui/device/device-drawing.tsx';
import { count } from '../../ui/format.ts';
import { outlineOf } from '../../ui/icon.tsx';
import { ShortName } from '../../ui/short-name.tsx';
import { drawnOf, linkText, noteOf, titleOf, toneOf } from './labels.ts';
import { box, inside, leaf, type Placed, paceOf, type TopologyNode } from './layout.ts';

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
    const isLeaf = node.kind === 'station';
    const size = isLeaf ? leaf : box;
    // the internet has no details
    const act = node.kind === 'internet' ? null : () => onOpen(node);
    const title = titleOf(node);
    const lines = isLeaf ? [] : [noteOf(node), linkText(node)].filter(Boolean);
    const room = isLeaf ? inside.leaf : inside.box;
    return (
      <g
        transform={`translate(${x} ${y})`}
        data-id={node.id}
        className={`topo-node topo-${node.kind} topo-${toneOf(node)}${isFound ? ' topo-found' : ''}`}
      >
        <g
          {...(act && {
            role: 'button',
            tabIndex: 0,
            'aria-label': [title, ...lines].join(', '),
            'data-hint': title,
            onClick: act,
            onKeyDown: onEnter(act),
          })}
        >
          <rect width={size.width} height={size.height} rx="6" className="topo-box" />
          <rect x="0.5" y="0.5" width="4" height={size.height - 1} rx="2" className="topo-tone" />
          {node.kind === 'internet' ? (
            <path d={outlineOf('globe')} className="topo-internet-sign" transform="translate(16 11) scale(1.8)" />
          ) : (
            <DeviceDrawing
              kind={drawnOf(node)}
              size={isLeaf ? 16 : 48}
              ports={node.ports}
              status={node.status}
              x={room.drawing}
              y={(size.height - room.height) / 2}
            />
          )}
          <foreignObject x={room.text} y="0" width={size.width - room.text - 8} height={size.height}>
            <div className="topo-text">
              <ShortName>{title}</ShortName>{' '}
              {lines.map((line, at) => (
                <Fragment key={line}>
                  <small className={at === 1 ? `ellipsis topo-link-${paceOf(node)}` : 'ellipsis'}>{line}</small>{' '}
                </Fragment>
              ))}
            </div>
          </foreignObject>
        </g>
        {node.apart && (
          <text x={4} y={-4} className="topo-apart">
            {t(`topology.apart_${node.apart}`)}
          </text>
        )}
        {boxes > 0 && (
          <Fold
            y={5}
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
            y={33}
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
