import { useCallback, useMemo, useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { useOptionalParam } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { count, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AsOf } from '../../ui/time.tsx';
import { NetworkPicker } from '../wireless-monitor/network-picker.tsx';
import { Canvas } from './canvas.tsx';
import { apartOf, draw, type Folds, foldedAtFirst, says, type TopologyNode, unfolded } from './layout.ts';
import { NodeDrawer } from './node-drawer.tsx';
import { savePng, saveSvg } from './picture.ts';
import { SearchField } from './search-field.tsx';
import { noteOf, titleOf } from './words.ts';
import './topology.css';

const REFRESH_MS = 60_000;
const zooms = [0.25, 0.4, 0.6, 0.8, 1, 1.3, 1.7];
const asDrawn = 4;

/** Who hangs on whom in a network: the one in the address, else the first by name. */
export function TopologyScreen() {
  const named = useOptionalParam('gwid');
  const first = useRead(
    '/api/v3/network/list',
    { page: 1, limit: 1, sort: 'remark', order: 'asc' },
    { enabled: named === undefined },
  );
  const gwid = named ?? first.data?.list[0]?.gwid;
  return (
    <Page title={t('home.topology')} acts={<NetworkPicker gwid={gwid} base="/topology" />}>
      {gwid !== undefined ? (
        <OneTopology key={gwid} gwid={gwid} />
      ) : first.error ? (
        <Failed error={first.error} retry={() => void first.refetch()} />
      ) : first.data ? (
        <Card>
          <Empty
            icon="share"
            title={t('topology.no_network')}
            acts={
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

const isMissing = (error: unknown) => error instanceof ApiError && (error.code === 4113 || error.code === 422);

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
  const [folds, setFolds] = useState<Folds>(() => ({ closed: foldedAtFirst(nodes), withStations: new Set() }));
  const [zoom, setZoom] = useState(asDrawn);
  const [keyword, setKeyword] = useState('');
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState<string | null>(null);
  const found = useMemo(() => (keyword.trim() ? nodes.filter((node) => says(node, keyword)) : []), [nodes, keyword]);
  const shown = useMemo(
    () => (found.length > 0 && found.length <= 100 ? unfolded(nodes, folds, found) : folds),
    [nodes, folds, found],
  );
  const drawing = useMemo(() => draw(nodes, shown), [nodes, shown]);
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
              disabled={zoom === 0}
              onClick={() => setZoom((now) => Math.max(0, now - 1))}
            >
              −
            </Button>
            <output className="topo-zoom">{Math.round(zooms[zoom]! * 100)}%</output>
            <Button
              aria-label={t('topology.zoom_in')}
              disabled={zoom === zooms.length - 1}
              onClick={() => setZoom((now) => Math.min(zooms.length - 1, now + 1))}
            >
              +
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
        <Canvas
          {...{ drawing, onOpen, onFold }}
          zoom={zooms[zoom]!}
          found={ids}
          looked={found[at % Math.max(1, found.length)]?.id ?? null}
        />
        <div className="topo-foot small dim">
          <AsOf at={data.as_of} />
          <span>{t('topology.legend')}</span>
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

/** Entries of what nobody can place; of a house that reports nothing there may be hundreds. */
const mostAside = 100;

/** What nobody can place: said so, with why, and drawn nowhere. What was searched for comes first. */
function Aside(props: { nodes: TopologyNode[]; found: ReadonlySet<string>; onOpen: (node: TopologyNode) => void }) {
  const hits = props.nodes.filter(({ id }) => props.found.has(id));
  const others = props.nodes.filter(({ id }) => !props.found.has(id));
  const more = props.nodes.length - mostAside;
  return (
    <Card title={t('topology.aside', { n: props.nodes.length })}>
      <p className="small dim">{t('topology.aside_body')}</p>
      <ul className="topo-aside">
        {[...hits, ...others].slice(0, mostAside).map((node) => (
          <li key={node.id}>
            <button
              type="button"
              className={props.found.has(node.id) ? 'topo-chip topo-found' : 'topo-chip'}
              onClick={() => props.onOpen(node)}
            >
              <span className="ellipsis">{titleOf(node)}</span>
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
