import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { LevelTag } from '../../ui/alarm-level.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { count } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { AsOf } from '../../ui/time.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { Board, clampZoom } from './board.tsx';
import { coarsest } from './land-layer.tsx';
import { PlaceDialog } from './place-dialog.tsx';
import { byWorst, type Cluster, fit, nearest, readView, type View, writeView } from './plane.ts';
import { PointDrawer } from './point-drawer.tsx';
import './map.css';

const REFRESH_MS = 60_000;
const SHOWN = 100;

interface Placing {
  gwid: string;
  remark: string;
  address: string;
}

export function MapScreen() {
  const [search, change] = useSearch();
  const [keyword, setKeyword] = useState(search.keyword ?? '');
  const debounced = useDebounced(keyword);
  const { data, error, refetch } = useRead(
    '/api/v3/map/list',
    { ...(search.tag ? { tag: search.tag } : {}), ...(debounced.trim() ? { keyword: debounced.trim() } : {}) },
    { refetchMs: REFRESH_MS, keepPrevious: true },
  );
  const mayWrite = useMay('network.write');
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [placing, setPlacing] = useState<Placing | null>(null);
  const [at, setAt] = useState<{ lat: number; lng: number } | null>(null);
  const loaded = data !== undefined;
  useEffect(() => {
    const element = frame.current;
    if (!element || !loaded) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [loaded]);
  if (!data) {
    return (
      <Page title={t('home.map')}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Skeleton height={420} />}
      </Page>
    );
  }
  const { points, unplaced } = data;
  const view = readView(search.at) ?? fit(points, size.width, size.height);
  const look = (next: View) => change({ at: writeView(next) });
  const opened = points.find(({ gwid }) => gwid === search.network);
  // a link to a network without a location asks to set it
  const named = mayWrite && !opened ? unplaced.list.find(({ gwid }) => gwid === search.network) : undefined;
  const wanted: Placing | null = placing ?? (named ? { ...named, address: '' } : null);
  const put = (place: { lat: number; lng: number }) => {
    // stays selected after it appears among the points
    setPlacing(wanted);
    setAt(place);
  };
  const leave = () => {
    setAt(null);
    setPlacing(null);
    change({ network: undefined });
  };
  const open = (cluster: Cluster) => {
    const [only] = cluster.points;
    const spread = fit(cluster.points, size.width, size.height);
    if (cluster.points.length === 1 || view.zoom >= nearest) change({ network: only!.gwid }, true);
    else look({ ...spread, zoom: clampZoom(Math.max(spread.zoom, view.zoom + 1)) });
  };
  const nothing = points.length === 0 && unplaced.total === 0 && debounced.trim() === '' && !search.tag;
  return (
    <Page title={t('home.map')} extra={<AsOf at={data.as_of} />}>
      {nothing ? (
        <Card>
          <Empty
            icon="map"
            title={t('map.empty')}
            actions={
              <Link to="/waiting_devices" className="btn btn-primary">
                {t('home.waiting_devices')}
              </Link>
            }
          >
            {t('map.empty_body')}
          </Empty>
        </Card>
      ) : (
        <div className="map-screen">
          <Card flush>
            <div className="map-bar">
              <input
                type="search"
                className="input"
                aria-label={t('map.search')}
                placeholder={t('map.search')}
                value={keyword}
                onChange={(event) => setKeyword(event.target.value)}
              />
              <span className="row">
                <Button
                  aria-label={t('map.zoom_out')}
                  disabled={view.zoom === 0}
                  onClick={() => look({ ...view, zoom: clampZoom(view.zoom - 1) })}
                >
                  −
                </Button>
                <Button
                  aria-label={t('map.zoom_in')}
                  disabled={view.zoom === nearest}
                  onClick={() => look({ ...view, zoom: clampZoom(view.zoom + 1) })}
                >
                  +
                </Button>
                <Button icon="expand" onClick={() => change({ at: undefined })}>
                  {t('map.fit')}
                </Button>
              </span>
            </div>
            {wanted && (
              <p className="notice map-notice">
                {t('map.placing', { name: wanted.remark })}{' '}
                <Button kind="link" onClick={() => put(view)}>
                  {t('map.type')}
                </Button>{' '}
                <Button kind="link" onClick={leave}>
                  {t('action.cancel')}
                </Button>
              </p>
            )}
            <Board
              points={points}
              view={view}
              size={size}
              frame={frame}
              tiles={data.tiles}
              placing={wanted !== null}
              chosen={search.network ?? null}
              onView={look}
              onOpen={open}
              onPlace={put}
            />
            <p className="map-foot small dim">
              {t(data.tiles ? 'map.based' : view.zoom > coarsest ? 'map.near' : 'map.plain')}
              {data.left_out > 0 && ` ${t('map.left_out', { n: count(data.left_out) })}`}
            </p>
          </Card>
          <div className="stack map-side">
            <Card title={t('map.listed', { n: points.length })}>
              {points.length === 0 ? (
                <p className="small dim">{t('map.none')}</p>
              ) : (
                <ul className="map-list">
                  {points
                    .toSorted(
                      (a, b) =>
                        byWorst.indexOf(a.status) - byWorst.indexOf(b.status) || a.remark.localeCompare(b.remark),
                    )
                    .slice(0, SHOWN)
                    .map((point) => (
                      <li key={point.gwid}>
                        <button
                          type="button"
                          className="map-row"
                          onClick={() =>
                            change(
                              { network: point.gwid, at: writeView({ ...point, zoom: Math.max(view.zoom, 10) }) },
                              true,
                            )
                          }
                        >
                          <span className="ellipsis" title={point.remark}>
                            {point.remark}
                          </span>
                          <span className="row">
                            {point.alarms?.worst && <LevelTag level={point.alarms.worst} />}
                            <StatusTag status={point.status} />
                          </span>
                        </button>
                      </li>
                    ))}
                </ul>
              )}
            </Card>
            {unplaced.total > 0 && (
              <Card title={t('map.unplaced', { n: unplaced.total })}>
                <ul className="map-list">
                  {unplaced.list.slice(0, SHOWN).map(({ gwid, remark }) => (
                    <li key={gwid} className="map-row">
                      <span className="ellipsis">{remark}</span>
                      {mayWrite && (
                        <Button kind="link" onClick={() => setPlacing({ gwid, remark, address: '' })}>
                          {t('map.place')}
                        </Button>
                      )}
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </div>
        </div>
      )}
      {opened && !wanted && (
        <PointDrawer
          point={opened}
          onMove={() => setPlacing({ gwid: opened.gwid, remark: opened.remark, address: opened.address })}
          onClose={() => change({ network: undefined })}
        />
      )}
      {wanted && at && <PlaceDialog {...wanted} at={at} onClose={leave} />}
    </Page>
  );
}
