import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { RemoteDialog } from '../../../app/lazy-parts.ts';
import { useMay } from '../../../app/shell/current.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { loadSiteSilenceDialog } from '../../alarms/index.ts';
import { EditTags } from '../edit-tags.tsx';
import { loadRestartLater } from '../load-restart-later.ts';
import { loadMaintenanceDialog } from './load-maintenance.ts';
import { deleteNetwork, rebootNetworks, unbindNetwork } from './network-actions.tsx';
import type { NetworkRow } from './network-columns.tsx';

const SiteSilenceDialog = lazy(loadSiteSilenceDialog);
const RestartLater = lazy(loadRestartLater);
const MaintenanceDialog = lazy(loadMaintenanceDialog);

export function NetworkMenu({ row, leave }: { row: NetworkRow; leave?: () => void }) {
  const navigate = useNavigate();
  const mayWrite = useMay('network.write');
  const maySeeSettings = useMay('config.read');
  const [tagging, setTagging] = useState(false);
  const [silencing, setSilencing] = useState(false);
  const [restarting, setRestarting] = useState(false);
  const [planning, setPlanning] = useState(false);
  const [reaching, setReaching] = useState(false);
  const mayReach = useMay('remote.use');
  const maySilence = useMay('message.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const items: MenuItem[] = [
    {
      label: t('network.tab_wireless'),
      icon: 'wifi',
      act: () => void navigate({ to: `/network/${row.gwid}`, search: { tab: 'wireless' } as never }),
    },
    { label: t('home.network_aps'), icon: 'list', act: () => void navigate({ to: `/network/aps/${row.gwid}` }) },
    { label: t('home.topology'), icon: 'share', act: () => void navigate({ to: `/topology/${row.gwid}` }) },
    { label: t('home.asset'), icon: 'box', act: () => void navigate({ to: `/asset/${row.gwid}` }) },
    {
      label: t('home.map'),
      icon: 'map',
      act: () => void navigate({ to: '/map', search: { network: row.gwid } as never }),
    },
  ];
  if (maySeeSettings) {
    const search = { tab: 'backups', gwid: row.gwid } as never;
    items.push({
      label: t('config.router_cloud_backup'),
      icon: 'archive',
      act: () => void navigate({ to: '/config/router_cloud_backup', search }),
    });
  }
  if (mayWrite) items.push({ label: t('network.edit_tags'), icon: 'edit', act: () => setTagging(true) });
  if (maySilence) items.push({ label: t('network.silence'), icon: 'bell', act: () => setSilencing(true) });
  if (mayWrite) items.push({ label: t('network.maintenance'), icon: 'clock', act: () => setPlanning(true) });
  const gateway = row.has_gateway ? row.sn : null;
  const away = row.status === 'online' ? undefined : t('networks.offline_why');
  if (mayReach && gateway)
    items.push({ label: t('device.terminal'), icon: 'monitor', why: away, act: () => setReaching(true) });
  if (mayReboot) {
    items.push({
      label: t('networks.reboot'),
      icon: 'power',
      why: away,
      act: () => rebootNetworks([row]),
    });
    items.push({ label: t('device.reboot_later'), icon: 'clock', act: () => setRestarting(true) });
  }
  if (mayBind) {
    if (row.device_num === 0)
      items.push({ label: t('networks.delete'), icon: 'trash', danger: true, act: () => deleteNetwork(row, leave) });
    else
      items.push({
        label: t('networks.unbind'),
        icon: 'unlink',
        danger: true,
        act: () => void unbindNetwork(row, leave),
      });
  }
  return (
    <div>
      <Menu
        label={t('action.more')}
        target={(trigger) => <IconButton icon="more" label={t('action.more')} {...trigger} />}
        items={items}
      />
      {tagging && <EditTags row={row} onClose={() => setTagging(false)} />}
      {restarting && (
        <Suspense>
          <RestartLater gwid={row.gwid} serial={null} name={row.remark} onClose={() => setRestarting(false)} />
        </Suspense>
      )}
      {planning && (
        <Suspense>
          <MaintenanceDialog chosen={{ gwids: [row.gwid] }} name={row.remark} onClose={() => setPlanning(false)} />
        </Suspense>
      )}
      {reaching && gateway && (
        <Suspense>
          <RemoteDialog target={{ serial: gateway }} name={row.remark} onClose={() => setReaching(false)} />
        </Suspense>
      )}
      {silencing && (
        <Suspense>
          <SiteSilenceDialog gwids={[row.gwid]} name={row.remark} onClose={() => setSilencing(false)} />
        </Suspense>
      )}
    </div>
  );
}
