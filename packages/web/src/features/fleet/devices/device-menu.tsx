import { lazy, Suspense, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { FindPowerDialog, RemoteDialog } from '../../../app/lazy-parts.ts';
import { useMay } from '../../../app/shell/current.ts';
import { IconButton } from '../../../ui/button.tsx';
import { mac } from '../../../ui/format.ts';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { notifyError } from '../../../ui/toast.tsx';
import { loadRestartLater } from '../load-restart-later.ts';
import { blinkDevice, type DeviceRow, rebootDevices, refreshDevice, unbindDevice } from './device-actions.ts';
import { usePowerPort } from './device-power.ts';
import { ReplaceDevice } from './replace-device.tsx';
import { UpgradeDevices, useMayUpgrade } from './upgrade-devices.tsx';

const RestartLater = lazy(loadRestartLater);

/** `show` opens the device by keyboard. */
export function DeviceMenu({ row, show, leave }: { row: DeviceRow; show?: () => void; leave?: () => void }) {
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const mayReach = useMay('remote.use');
  const mayUpgrade = useMayUpgrade();
  const [open, setOpen] = useState<'replace' | 'upgrade' | 'restart' | 'power' | 'terminal' | null>(null);
  const [isAsked, setAsked] = useState(false);
  const hasPower = usePowerPort(row, isAsked);
  const close = () => setOpen(null);
  const away = row.status === 'online' ? undefined : t('networks.offline_why');
  const items: MenuItem[] = show ? [{ label: t('device.open'), icon: 'eye', act: show }] : [];
  // switches answer Success to these two and do nothing
  const obeys = row.kind !== 'switch';
  if (obeys)
    items.push({
      label: t('device.refresh'),
      icon: 'refresh',
      why: away,
      act: () => void refreshDevice(row.serial).catch(notifyError),
    });
  if (mayWrite && obeys)
    items.push({
      label: t('device.blink'),
      icon: 'bulb',
      why: away,
      act: () => void blinkDevice(row.serial).catch(notifyError),
    });
  if (mayReach)
    items.push({
      label: t('device.terminal'),
      icon: 'monitor',
      why: obeys ? away : t('device.terminal_switch'),
      act: () => setOpen('terminal'),
    });
  // in the place of the other, which cannot arrive
  if (hasPower) items.push({ label: t('device.reboot_power'), icon: 'bolt', act: () => setOpen('power') });
  else if (mayReboot)
    items.push({ label: t('device.reboot'), icon: 'power', why: away, act: () => rebootDevices([row]) });
  if (mayReboot) items.push({ label: t('device.reboot_later'), icon: 'clock', act: () => setOpen('restart') });
  // offline devices upgrade when they return; gateways upgrade their agent instead
  if (mayUpgrade && row.kind !== 'gateway')
    items.push({ label: t('device.firmware'), icon: 'box', act: () => setOpen('upgrade') });
  if (mayBind && row.gwid) items.push({ label: t('replace.act'), icon: 'refresh', act: () => setOpen('replace') });
  if (mayBind)
    items.push({ label: t('device.unbind'), icon: 'unlink', danger: true, act: () => void unbindDevice(row, leave) });
  return (
    <div>
      <Menu
        label={t('action.more')}
        target={(trigger) => (
          <IconButton icon="more" label={t('action.more')} {...trigger} onClick={() => setAsked(true)} />
        )}
        items={items}
      />
      {open === 'replace' && <ReplaceDevice row={row} onClose={close} done={leave ?? (() => {})} />}
      {open === 'terminal' && (
        <Suspense>
          <RemoteDialog target={{ serial: row.serial }} name={row.remark || mac(row.serial)} onClose={close} />
        </Suspense>
      )}
      {open === 'power' && row.gwid && (
        <Suspense>
          <FindPowerDialog gwid={row.gwid} mac={row.serial} name={row.remark || mac(row.serial)} onClose={close} />
        </Suspense>
      )}
      {open === 'restart' && (
        <Suspense>
          <RestartLater gwid={row.gwid} serial={row.serial} name={row.remark || mac(row.serial)} onClose={close} />
        </Suspense>
      )}
      {open === 'upgrade' && <UpgradeDevices serials={[row.serial]} onClose={close} />}
    </div>
  );
}
