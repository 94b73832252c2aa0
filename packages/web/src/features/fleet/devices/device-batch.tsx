import { useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import type { BatchAct, Selection } from '../../../ui/table/columns.ts';
import { rebootChosenDevices, unbindChosenDevices } from '../batch-actions.ts';
import { TagDialog } from '../tag-dialog.tsx';
import { useTemplateBatch } from '../template-batch.tsx';
import { type DeviceRow, upgradeAgents } from './device-actions.ts';
import { GroupDialog, MoveDialog, RenameDialog } from './device-dialogs.tsx';
import { useMayUpgrade, useUpgradeBatch } from './upgrade-devices.tsx';

type Act = 'tag' | 'group' | 'move' | 'rename';

export function useDeviceBatch(gwid: string | null, kind: DeviceRow['kind']) {
  const mayWrite = useMay('network.write');
  const mayReboot = useMay('network.reboot');
  const mayBind = useMay('network.bind');
  const mayUpgrade = useMayUpgrade();
  const mayConfig = useMay('config.write');
  const template = useTemplateBatch<DeviceRow>(({ serial }) => serial);
  const upgrade = useUpgradeBatch();
  const [open, setOpen] = useState<{ act: Act; selection: Selection<DeviceRow>; done: () => void } | null>(null);
  const opens =
    (act: Act): BatchAct<DeviceRow>['act'] =>
    (selection, done) =>
      setOpen({ act, selection, done });
  const batch: BatchAct<DeviceRow>[] = [];
  if (mayWrite) {
    batch.push({ label: t('groups.group'), act: opens('group') });
    batch.push({ label: t('network.edit_tags'), act: opens('tag') });
    batch.push({ label: t('batch.rename'), act: opens('rename') });
  }
  if (mayConfig && kind === 'ap') batch.push(template.act);
  if (mayBind) batch.push({ label: t('batch.move'), act: opens('move') });
  if (mayReboot) {
    batch.push({ label: t('device.reboot'), act: (selection, done) => void rebootChosenDevices(selection, done) });
    if (kind === 'gateway')
      batch.push({
        label: t('device.upgrade'),
        act: async (selection, done) => upgradeAgents(await selection.rows(), done),
      });
  }
  if (mayUpgrade && kind !== 'gateway') batch.push(upgrade.act);
  if (mayBind)
    batch.push({
      label: t('networks.unbind'),
      danger: true,
      act: (selection, done) => void unbindChosenDevices(selection, done),
    });
  const close = () => setOpen(null);
  const props = open && { selection: open.selection, done: open.done, onClose: close };
  return {
    batch,
    dialog: (
      <>
        {props && open.act === 'tag' && <TagDialog of="devices" {...props} />}
        {props && open.act === 'group' && <GroupDialog {...props} />}
        {props && open.act === 'move' && <MoveDialog from={gwid} {...props} />}
        {props && open.act === 'rename' && <RenameDialog {...props} />}
        {template.dialog}
        {upgrade.dialog}
      </>
    ),
  };
}
