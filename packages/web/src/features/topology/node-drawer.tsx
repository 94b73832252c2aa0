import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { DeviceFront } from '../../ui/device/device-front.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { StatusTag } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { drawnOf, speedText, titleOf } from './labels.ts';
import type { TopologyNode } from './layout.ts';

const none = <span className="dim">—</span>;

export function NodeDrawer(props: {
  node: TopologyNode;
  gwid: string;
  parent: TopologyNode | undefined;
  onClose: () => void;
}) {
  const { node, gwid, parent, onClose } = props;
  const mayUsers = useMay('user.read');
  const managed = node.status !== null;
  return (
    <Dialog drawer title={titleOf(node)} onClose={onClose}>
      <div className="stack">
        <DeviceFront
          kind={drawnOf(node)}
          name={t(`topology.kind_${node.kind}`)}
          ports={node.ports}
          status={node.status}
        />
        {node.status && (
          <span className="row">
            <StatusTag status={node.status} />
          </span>
        )}
        <dl className="facts">
          <dt>{t('topology.kind')}</dt>
          <dd>{t(`topology.kind_${node.kind}`)}</dd>
          {node.about && (
            <>
              <dt>{t('topology.about')}</dt>
              <dd>{node.about}</dd>
            </>
          )}
          <dt>{t('topology.mac')}</dt>
          <dd className="mono">{node.mac ? mac(node.mac) : none}</dd>
          {!managed && (
            <>
              <dt>{t('topology.ip')}</dt>
              <dd className="mono">{node.ip ?? none}</dd>
            </>
          )}
          {node.band !== null && (
            <>
              <dt>{t('topology.air')}</dt>
              <dd>{t('topology.air_of', { ssid: node.ssid ?? '—', band: bandName(node.band) })}</dd>
              <dt>{t('topology.signal')}</dt>
              <dd>{node.rssi === null ? none : `${node.rssi} dBm`}</dd>
            </>
          )}
          <dt>{t('topology.uplink')}</dt>
          <dd>{parent ? titleOf(parent) : t(node.apart ? `topology.why_${node.apart}` : 'topology.root')}</dd>
          {node.link && (
            <>
              <dt>{t('topology.ports')}</dt>
              <dd>
                {t('topology.from_to', { from: node.link.child_port ?? '—', to: node.link.port ?? '—' })}{' '}
                {speedText(node.link.speed)}
              </dd>
              <dt>{t('topology.source')}</dt>
              <dd>{t(`topology.source_${node.link.source}`)}</dd>
            </>
          )}
          {managed && (
            <>
              <dt>{t('topology.reported')}</dt>
              <dd>{node.reported_at ? <RelativeTime at={node.reported_at} /> : t('topology.never_reported')}</dd>
            </>
          )}
        </dl>
        {managed && node.mac && (
          <Link to={`/network/${gwid}`} search={{ tab: 'devices', device: node.mac }} className="btn">
            {t('topology.to_device')}
          </Link>
        )}
        {node.kind === 'station' && node.mac && mayUsers && (
          <Link to={`/networks/online_users/${gwid}`} search={{ user: node.mac }} className="btn">
            {t('topology.to_user')}
          </Link>
        )}
      </div>
    </Dialog>
  );
}

const bandName = (band: number) => (band === 2 ? '2.4G' : `${band}G`);
