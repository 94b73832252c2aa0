import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { isMissing } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DeviceDrawing } from '../../ui/device/device-drawing.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { count, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ShortName } from '../../ui/short-name.tsx';
import { SiteCrumb } from '../../ui/site-crumb.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AsOf } from '../../ui/time.tsx';
import { NetworkPicker } from '../wireless-monitor/index.ts';
import { Canvas } from './canvas.tsx';
import { drawnOf, noteOf, titleOf } from './labels.ts';
import {
  apartOf,
  draw,
  type Folds,
  fitting,
  foldedAtFirst,
  says,
  type TopologyNode,
  unfolded,
  withInternet,
  zooms,
} from './layout.ts';
import { NodeDrawer } from './node-drawer.tsx';
import { savePng, saveSvg } from './picture.ts';
import { SearchField } from './search-field.tsx';
import './topology.css';

const REFRESH_MS = 60_000;
/** A drawing opens no smaller than this, so that its texts can be read. */
const smallestAtFirst = 0.6;

export function TopologyScreen() {
  const named = useOptionalParam('gwid');
  const first = useRead(
    '/api/v3/network/list',
    { page: 1, limit: 1, sort: 'remark', order: 'asc' },
    { enabled: named === undefined },
  );
  const gwid = named ?? first.data?.list[0]?.gwid;
  return (
    <Page
      title={t('home.topology')}
      crumb={gwid && <SiteCrumb gwid={gwid} />}
      actions={<NetworkPicker gwid={gwid} base="/topology" />}
    >
      {gwid !== undefined ? (
        <OneTopology key={gwid} gwid={gwid} />
      ) : first.error ? (
        <Failed error={first.error} retry={() => void first.refetch()} />
      ) : first.data ? (
        <Card>
          <Empty
            icon="share"
            title={t('topology.no_network')}
            actions={
              <Link to="/waiting_devices" className="btn btn-primary">
                {t('topology.no_network_act')}
              </Link>
            }
          >
            {t('topology.no_network_body')}
          </Empty>
        </Card>
      ) : (
        <Skeleton height={360} />
      )}
    </Page>
  );
}

function OneTopology({ gwid }: { gwid: string }) {
  const { data, error, refetch } = useRead(
    '/api/v3/topology/get',
    { gwid },
    { refetchMs: REFRESH_MS, keepPrevious: true },
  );
  if (data === undefined) {
    if (isMissing(error)) {
      return (
        <Card>
          <Empty icon="search" title={t('topology.missing')}>
            {t('topology.missing_body')}
          </Empty>
        </Card>
      );
    }
    return error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={360} />;
  }
  if (data.nodes.length === 0) {
    return (
      <Card>
        <Empty icon="share" title={t('topology.empty')}>
          {t('topology.empty_body')}
        </Empty>
      </Card>
    );
  }
  return <Drawn gwid={gwid} data={data} refresh={() => void refetch()} />;
}

interface Answer {
  as_of: string;
  remark: string;
  nodes: TopologyNode[];
  stations: number;
  left_out: number;
}

function Drawn({ gwid, data, refresh }: { gwid: string; data: Answer; refresh: () => void }) {
  const { nodes } = data;
  const drawn = useMemo(() => withInternet(nodes), [nodes]);
  const [folds, setFolds] = useState<Folds>(() => ({ closed: foldedAtFirst(nodes), withStations: new Set() }));
  const [zoom, setZoom] = useState(1);
  const canvas = useRef<HTMLDivElement>(null);
  const [keyword, setKeyword] = useState('');
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState<string | null>(null);
  const found = useMemo(() => (keyword.trim() ? nodes.filter((node) => says(node, keyword)) : []), [nodes, keyword]);
  const shown = useMemo(
    () => (found.length > 0 && found.length <= 100 ? unfolded(drawn, folds, found) : folds),
    [drawn, folds, found],
  );
  const drawing = useMemo(() => draw(drawn, shown), [drawn, shown]);
  const fit = (least = 0) => {
    const frame = canvas.current?.firstElementChild;
    if (frame) setZoom(Math.max(least, fitting(drawing, { width: frame.clientWidth, height: frame.clientHeight })));
  };
  // once: a person's zoom stays
  // biome-ignore lint/correctness/useExhaustiveDependencies: later drawings keep the zoom
  useLayoutEffect(() => fit(smallestAtFirst), []);
  const smaller = zooms.findLast((one) => one < zoom);
  const larger = zooms.find((one) => one > zoom);
  const ids = useMemo(() => new Set(found.map(({ id }) => id)), [found]);
  const aside = useMemo(() => apartOf(nodes), [nodes]);
  const opened = nodes.find(({ id }) => id === open);
  const onOpen = useCallback((node: TopologyNode) => setOpen(node.id), []);
  const onFold = useCallback(
    (id: string, what: 'boxes' | 'stations') =>
      setFolds((now) => {
        const key = what === 'boxes' ? 'closed' : 'withStations';
        const next = new Set(now[key]);
        if (!next.delete(id)) next.add(id);
        return { ...now, [key]: next };
      }),
    [],
  );
  const foldable = useMemo(() => foldedAtFirst(nodes), [nodes]);
  const parents = nodes.filter(({ kind }) => kind === 'station').flatMap(({ parent }) => parent ?? []);
  const all = parents.length > 0 && parents.every((id) => folds.withStations.has(id));
  const name = `topology-${data.remark}`;
  const title = [data.remark, exactTime(new Date(data.as_of))].join(' · ');
  return (
    <div className="stack">
      <Card flush>
        <div className="topo-bar">
          <SearchField
            value={keyword}
            onChange={(value) => {
              setKeyword(value);
              setAt(0);
            }}
            onNext={() => setAt((now) => (found.length > 0 ? (now + 1) % found.length : 0))}
            found={keyword.trim() ? t('topology.found', { n: found.length }) : ''}
          />
          <span className="row">
            {foldable.size > 0 && (
              <Button
                icon={folds.closed.size > 0 ? 'chevron_down' : 'chevron_right'}
                onClick={() => setFolds((now) => ({ ...now, closed: now.closed.size > 0 ? new Set() : foldable }))}
              >
                {t(folds.closed.size > 0 ? 'topology.open_all' : 'topology.close_all')}
              </Button>
            )}
            {parents.length > 0 && (
              <Button
                icon={all ? 'eye_off' : 'eye'}
                onClick={() => setFolds((now) => ({ ...now, withStations: new Set(all ? [] : parents) }))}
              >
                {t(all ? 'topology.hide_all' : 'topology.show_all', { n: count(data.stations) })}
              </Button>
            )}
            <Button
              aria-label={t('topology.zoom_out')}
              disabled={smaller === undefined}
              onClick={() => setZoom(smaller ?? zoom)}
            >
              −
            </Button>
            <output className="topo-zoom">{Math.round(zoom * 100)}%</output>
            <Button
              aria-label={t('topology.zoom_in')}
              disabled={larger === undefined}
              onClick={() => setZoom(larger ?? zoom)}
            >
              +
            </Button>
            <Button icon="expand" onClick={() => fit()}>
              {t('topology.fit')}
            </Button>
            <Button icon="refresh" onClick={refresh}>
              {t('topology.refresh')}
            </Button>
            <Menu
              label={t('topology.save')}
              target={(trigger) => (
                <Button {...trigger} icon="download">
                  {t('topology.save')}
                </Button>
              )}
              items={[
                { label: t('topology.save_svg'), act: () => saveSvg(drawing, name, title) },
                { label: t('topology.save_png'), act: () => void savePng(drawing, name, title) },
              ]}
            />
          </span>
        </div>
        <div ref={canvas}>
          <Canvas
            drawing={drawing}
            zoom={zoom}
            onOpen={onOpen}
            onFold={onFold}
            found={ids}
            looked={found[at % Math.max(1, found.length)]?.id ?? null}
          />
        </div>
        <div className="topo-foot small dim">
          <AsOf at={data.as_of} />
          <span>{t('topology.legend')}</span>
          {(['slow', 'gigabit', 'fast'] as const).map((pace) => (
            <span key={pace} className="topo-key">
              <svg width="22" height="8" aria-hidden="true">
                <path d="M0 4h22" className={`topo-line topo-line-${pace}`} />
              </svg>
              {t(`topology.pace_${pace}`)}
            </span>
          ))}
          {data.left_out > 0 && <span>{t('topology.left_out', { n: count(data.left_out) })}</span>}
        </div>
      </Card>
      {aside.length > 0 && <Aside nodes={aside} found={ids} onOpen={onOpen} />}
      {opened && (
        <NodeDrawer
          node={opened}
          gwid={gwid}
          parent={nodes.find(({ id }) => id === opened.parent)}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

/** Maximum unplaced nodes listed; a network without reports may have hundreds. */
const maxAside = 100;

/** Nodes without a known place, not drawn; hits first. */
function Aside(props: { nodes: TopologyNode[]; found: ReadonlySet<string>; onOpen: (node: TopologyNode) => void }) {
  const hits = props.nodes.filter(({ id }) => props.found.has(id));
  const others = props.nodes.filter(({ id }) => !props.found.has(id));
  const more = props.nodes.length - maxAside;
  return (
    <Card title={t('topology.aside', { n: props.nodes.length })}>
      <p className="small dim">{t('topology.aside_body')}</p>
      <ul className="topo-aside">
        {[...hits, ...others].slice(0, maxAside).map((node) => (
          <li key={node.id}>
            <button
              type="button"
              className={props.found.has(node.id) ? 'topo-chip topo-found' : 'topo-chip'}
              data-hint={titleOf(node)}
              onClick={() => props.onOpen(node)}
            >
              <DeviceDrawing kind={drawnOf(node)} size={24} status={node.status} />
              <ShortName>{titleOf(node)}</ShortName>
              <small>{noteOf(node)}</small>
              <small>{t(`topology.apart_${node.apart ?? 'unreported'}`)}</small>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small dim">{t('topology.aside_more', { n: count(more) })}</p>}
    </Card>
  );
}
