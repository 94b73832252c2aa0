import type { Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { ask } from '../../../ui/dialog-host.tsx';
import { mac } from '../../../ui/format.ts';
import { openJobs } from '../../../ui/job-drawer-state.ts';
import { notify } from '../../../ui/toast.tsx';
import { unbindEffects } from '../unbind-effects.ts';

export type DeviceRow = Row<'/api/v3/ap/list'>;

const refreshDevices = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => /^\/api\/v3\/(ap|device|network|overview)\//.test(String(queryKey[0])),
  });

export async function renameDevice(row: Pick<DeviceRow, 'serial' | 'remark'>, remark: string): Promise<void> {
  const write = async (name: string) => {
    await call('/api/v3/ap/update', { serial: row.serial, remark: name });
    await refreshDevices();
  };
  await write(remark);
  notify('ok', t('networks.renamed', { name: remark }), row.remark ? () => void write(row.remark) : undefined);
}

export function rebootDevices(rows: readonly DeviceRow[], done: () => void = () => {}): void {
  const users = rows.reduce((sum, row) => sum + (row.status === 'online' ? (row.online_user ?? 0) : 0), 0);
  ask({
    title: rebootTitle(rows),
    body: t('device.reboot_body'),
    losses: users > 0 ? [t('device.reboot_users', { n: users })] : [],
    confirm: t('device.reboot'),
    danger: true,
    act: async () => {
      const { job_id } = await call('/api/v3/ap/reboot', { serials: rows.map((row) => row.serial) });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
      done();
      openJobs(job_id);
    },
  });
}

/** Devices of several networks may share a name. */
function rebootTitle(rows: readonly DeviceRow[]): string {
  const [row] = rows;
  if (!row || rows.length > 1) return t('device.reboot_title', { n: rows.length });
  const name = row.remark || mac(row.serial);
  return row.network ? t('device.reboot_one_in', { name, network: row.network }) : t('device.reboot_one', { name });
}

export async function upgradeAgents(
  rows: readonly Pick<DeviceRow, 'serial'>[],
  done: () => void = () => {},
): Promise<void> {
  const serials = rows.map((row) => row.serial);
  const { version, devices, left_out } = await call('/api/v3/device/agent/upgrade/preview', { serials });
  const [first] = devices;
  if (version === null || !first) {
    notify('info', t(version === null ? 'device.upgrade_unbuilt' : 'device.upgrade_none', { version: version ?? '' }));
    return;
  }
  const many = (wave: number) => devices.filter((device) => device.wave === wave).length;
  const left = (why: (typeof left_out)[number]['why']) => left_out.filter((device) => device.why === why).length;
  const waves = [
    t('device.upgrade_first', { name: first.remark || mac(first.serial) }),
    ...(many(1) > 0 ? [t('device.upgrade_second', { n: many(1) })] : []),
    ...(many(2) > 0 ? [t('device.upgrade_rest', { n: many(2) })] : []),
    ...(left('current') > 0 ? [t('device.upgrade_current', { n: left('current') })] : []),
    ...(left('other') > 0 ? [t('device.upgrade_other', { n: left('other') })] : []),
  ];
  ask({
    title: t('device.upgrade_title', { n: devices.length, version }),
    body: t('device.upgrade_body'),
    losses: waves,
    confirm: t('device.upgrade'),
    act: async () => {
      const { job_id } = await call('/api/v3/device/agent/upgrade', { serials });
      await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
      done();
      openJobs(job_id);
    },
  });
}

export async function blinkDevice(serial: string): Promise<void> {
  await call('/api/v3/ap/blink', { serial, seconds: 10 });
  notify('ok', t('device.blinking'));
}

export async function refreshDevice(serial: string): Promise<void> {
  await call('/api/v3/device/refresh', { serial });
  notify('ok', t('device.refreshed'));
}

export async function unbindDevice(
  row: Pick<DeviceRow, 'serial' | 'remark'>,
  done: () => void = () => {},
): Promise<void> {
  const name = row.remark || row.serial;
  const effects = await unbindEffects({ serials: [row.serial] });
  if (!effects) return;
  ask({
    title: t('device.unbind_title', { name }),
    body: t('device.unbind_body'),
    losses: [...effects, t('device.unbind_marks'), t('device.unbind_config'), t('device.unbind_certificate')],
    confirm: t('networks.unbind'),
    danger: true,
    typed: name,
    act: async () => {
      await call('/api/v3/device/unbind', { serial: row.serial });
      notify('ok', t('networks.unbound'));
      done();
      await refreshDevices();
    },
  });
}
