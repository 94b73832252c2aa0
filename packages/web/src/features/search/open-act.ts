import { type ComponentType, createElement, lazy } from 'react';
import { loadTexts, t } from '../../app/i18n.ts';
import { showPalette } from '../../app/shell/palette-state.ts';
import { notify } from '../../ui/toast.tsx';
import { loadSiteSilenceDialog } from '../alarms/index.ts';
import { loadCreateNetwork, loadMaintenanceDialog } from '../fleet/index.ts';

type Opened = ComponentType<{ onClose: () => void }>;

/** Shows a dialog in place of the search. */
function openDialog(load: () => Promise<Opened>): void {
  showPalette({
    Dialog: lazy(async () => {
      const [dialog] = await Promise.all([load(), loadTexts('fleet', 'wireless')]);
      return { default: dialog };
    }),
  });
}

export function openSilence(gwid: string, name: string): void {
  openDialog(async () => {
    const { default: Dialog } = await loadSiteSilenceDialog();
    return ({ onClose }) => createElement(Dialog, { gwids: [gwid], name, onClose });
  });
}

export function openMaintenance(gwid: string, name: string): void {
  openDialog(async () => {
    const { default: Dialog } = await loadMaintenanceDialog();
    return ({ onClose }) => createElement(Dialog, { chosen: { gwids: [gwid] }, name, onClose });
  });
}

export function openNewNetwork(): void {
  openDialog(async () => (await loadCreateNetwork()).default);
}

/** The lists' dialog, with the present object. */
export async function openRestart({ kind, id, title }: { kind: string; id: string; title: string }): Promise<void> {
  const { findDevice, findNetwork, rebootDevices, rebootNetworks } = await import('./restart.ts');
  await loadTexts('fleet', 'wireless');
  const gone = () => notify('info', t('search.gone', { name: title }));
  if (kind === 'network') {
    const row = await findNetwork(id);
    if (row?.status === 'online') rebootNetworks([row]);
    else gone();
  } else {
    const row = await findDevice(id);
    if (row?.status === 'online') rebootDevices([row]);
    else gone();
  }
}
