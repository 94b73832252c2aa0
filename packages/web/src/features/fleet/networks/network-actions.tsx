import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { ask } from '../../../ui/dialog-host.tsx';
import { openJobs } from '../../../ui/job-drawer-state.ts';
import { notify } from '../../../ui/toast.tsx';
import { upgradeAgents } from '../devices/device-actions.ts';
import { unbindEffects } from '../unbind-effects.ts';
import type { NetworkRow } from './network-columns.tsx';

const NAMED = 6;

export function rebootNetworks(rows: readonly NetworkRow[], done: () => void = () => {}): void {
  const lines = rows
    .slice(0, NAMED)
    .map((row) => t('networks.reboot_line', { name: row.remark, users: row.online_user ?? 0 }));
  if (rows.length > NAMED) lines.push(t('networks.reboot_more', { n: rows.length - NAMED }));
  ask({
    title: t('networks.reboot_title', { n: rows.length }),
    body: t('networks.reboot_body'),
    losses: lines,
    confirm: t('networks.reboot'),
    danger: true,
    act: async () => {
      const { job_id } = await call('/api/v3/network/reboot', { gwids: rows.map((row) => row.gwid) });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
      done();
      openJobs(job_id);
    },
  });
}

export async function upgradeNetworks(rows: readonly NetworkRow[], done: () => void = () => {}): Promise<void> {
  const serials = rows.flatMap(({ has_gateway, sn }) => (has_gateway && sn ? [{ serial: sn }] : []));
  if (serials.length === 0) notify('info', t('networks.upgrade_none'));
  else await upgradeAgents(serials, done);
}

/** Lists losses and requires the typed name. */
export async function unbindNetwork(row: NetworkRow, done: () => void = () => {}): Promise<void> {
  const effects = await unbindEffects({ gwid: row.gwid });
  if (!effects) return;
  ask({
    title: t('networks.unbind_title', { name: row.remark }),
    body: t('networks.unbind_body', { n: row.device_num }),
    losses: [
      ...effects,
      t('networks.unbind_backup'),
      t('networks.unbind_alarm'),
      t('networks.unbind_hosting'),
      t('networks.unbind_open'),
      t('networks.unbind_value'),
      t('networks.unbind_config'),
      t('networks.unbind_certificate'),
    ],
    confirm: t('networks.unbind'),
    danger: true,
    typed: row.remark,
    act: async () => {
      await call('/api/v3/network/unbind', { gwid: row.gwid });
      notify('ok', t('networks.unbound'));
      done();
      await queryClient.invalidateQueries();
    },
  });
}

export function deleteNetwork(row: NetworkRow, done: () => void = () => {}): void {
  ask({
    title: t('networks.delete_title', { name: row.remark }),
    body: t('networks.delete_body'),
    confirm: t('action.delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/network/delete', { gwid: row.gwid });
      notify('ok', t('table.deleted'));
      done();
      await queryClient.invalidateQueries();
    },
  });
}
