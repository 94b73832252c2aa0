import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useWrite } from '../../app/use-call.ts';
import { LevelTag } from '../../ui/alarm-level.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { StatusTag, Tag } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import type { MapPoint } from './plane.ts';

const none = <span className="dim">—</span>;

export function PointDrawer({ point, onMove, onClose }: { point: MapPoint; onMove: () => void; onClose: () => void }) {
  const mayWrite = useMay('network.write');
  const remove = useWrite('/api/v3/map/unplace', ['/api/v3/map/list']);
  return (
    <Dialog drawer title={point.remark} onClose={onClose}>
      <div className="stack">
        <div className="spread">
          <span className="row">
            <StatusTag status={point.status} />
            {point.tags.map((tag) => (
              <Tag key={tag} tone="none">
                {tag}
              </Tag>
            ))}
          </span>
        </div>
        <dl className="facts">
          <dt>{t('map.since')}</dt>
          <dd>
            <RelativeTime at={point.status_since} />
          </dd>
          {point.alarms && (
            <>
              <dt>{t('messages.alarm')}</dt>
              <dd>
                {point.alarms.worst ? (
                  <span className="row">
                    <LevelTag level={point.alarms.worst} />
                    <Link to="/alarm" search={{ gwid: point.gwid }}>
                      {t('map.alarms', { n: point.alarms.total })}
                    </Link>
                  </span>
                ) : (
                  none
                )}
              </dd>
            </>
          )}
          <dt>{t('map.aps')}</dt>
          <dd>{t('map.aps_of', { online: point.ap_online_num, all: point.ap_num })}</dd>
          <dt>{t('map.address')}</dt>
          <dd>{point.address || none}</dd>
          <dt>{t('map.position')}</dt>
          <dd className="mono">
            {point.lat.toFixed(5)}, {point.lng.toFixed(5)}
          </dd>
        </dl>
        <div className="row map-acts">
          <Link to={`/network/${point.gwid}`} className="btn btn-primary">
            {t('map.open')}
          </Link>
          <Link to={`/topology/${point.gwid}`} className="btn">
            {t('home.topology')}
          </Link>
          {mayWrite && (
            <>
              <Button icon="edit" onClick={onMove}>
                {t('map.move')}
              </Button>
              <Button
                icon="close"
                onClick={() => {
                  // first: an address that names a network without a location asks for one
                  onClose();
                  remove.mutate({ gwid: point.gwid });
                }}
              >
                {t('map.remove')}
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
