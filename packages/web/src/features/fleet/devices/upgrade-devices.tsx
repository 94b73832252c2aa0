import { lazy, Suspense, useState } from 'react';
import { t } from '../../../app/i18n.ts';
import { useMay, useUser } from '../../../app/shell/current.ts';
import type { BatchAct, Selection } from '../../../ui/table/columns.ts';
import { notify, notifyError } from '../../../ui/toast.tsx';
import { loadUpgradeChosen } from '../../firmware/index.ts';
import type { DeviceRow } from './device-actions.ts';

const UpgradeChosen = lazy(loadUpgradeChosen);

/** Maximum devices per plan (contract: `firmwareLimits.devices`). */
const max = 5000;

/** Requires all networks, because images apply to all. */
export function useMayUpgrade(): boolean {
  const all = useUser().gwids === null;
  return useMay('network.reboot') && all;
}

export function UpgradeDevices(props: { serials: readonly string[]; onClose: () => void; done?: () => void }) {
  return (
    <Suspense>
      <UpgradeChosen serials={props.serials} onClose={props.onClose} done={props.done ?? (() => undefined)} />
    </Suspense>
  );
}

export function useUpgradeBatch() {
  const [picked, setPicked] = useState<{ serials: readonly string[]; done: () => void } | null>(null);
  const open = async ({ count, keys, query, rows }: Selection<DeviceRow>, done: () => void) => {
    if (count > max) return notify('info', t('batch.upgrade_most', { most: max }));
    try {
      setPicked({ serials: query ? (await rows()).map(({ serial }) => serial) : keys, done });
    } catch (error) {
      notifyError(error);
    }
  };
  const act: BatchAct<DeviceRow> = {
    label: t('device.firmware'),
    act: (selection, done) => void open(selection, done),
  };
  return { act, dialog: picked && <UpgradeDevices {...picked} onClose={() => setPicked(null)} /> };
}
