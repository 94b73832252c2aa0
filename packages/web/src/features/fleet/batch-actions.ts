import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import type { Selection } from '../../ui/table/columns.ts';
import { confirmDelete } from '../../ui/table/confirm-delete.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import { loadBackUp } from '../backup/index.ts';
import { chosenDevices, chosenNetworks } from './chosen.ts';
import { unbindEffects } from './unbind-effects.ts';

type Touched = Data<'/api/v3/network/chosen'>;
type Chosen = Omit<Selection<unknown>, 'rows'>;

export const refreshFleet = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => /^\/api\/v3\/(ap|device|network|overview|view)\//.test(String(queryKey[0])),
  });

function lines({ names, total, users }: Touched): string[] {
  return [
    ...names,
    ...(total > names.length ? [t('batch.more', { n: total - names.length })] : []),
    ...(users > 0 ? [t('device.reboot_users', { n: users })] : []),
  ];
}

async function started(jobId: string, done: () => void): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
  done();
  openJobs(jobId);
}

export async function rebootChosenNetworks(selection: Chosen, done: () => void = () => {}): Promise<void> {
  const chosen = chosenNetworks(selection);
  try {
    const touched = await call('/api/v3/network/chosen', chosen);
    ask({
      title: t('networks.reboot_title', { n: touched.total }),
      body: t('networks.reboot_body'),
      losses: lines(touched),
      confirm: t('networks.reboot'),
      danger: true,
      act: async () => started((await call('/api/v3/network/reboot', chosen)).job_id, done),
    });
  } catch (error) {
    notifyError(error);
  }
}

export async function rebootChosenDevices(selection: Chosen, done: () => void = () => {}): Promise<void> {
  const chosen = chosenDevices(selection);
  try {
    const touched = await call('/api/v3/ap/chosen', chosen);
    ask({
      title: t('device.reboot_title', { n: touched.total }),
      body: t('device.reboot_body'),
      losses: lines(touched),
      confirm: t('device.reboot'),
      danger: true,
      act: async () => started((await call('/api/v3/ap/reboot', chosen)).job_id, done),
    });
  } catch (error) {
    notifyError(error);
  }
}

export async function backUpChosenNetworks(
  selection: Pick<Selection<{ gwid: string }>, 'rows'>,
  done: () => void,
): Promise<void> {
  try {
    const [backUp, rows] = await Promise.all([loadBackUp(), selection.rows()]);
    await backUp(
      rows.map(({ gwid }) => gwid),
      done,
    );
    await queryClient.invalidateQueries({ queryKey: ['/api/v3/network/list'] });
  } catch (error) {
    notifyError(error);
  }
}

/** Deletes networks without devices; keeps the others and reports them. */
export async function deleteChosenNetworks(selection: Chosen, done: () => void): Promise<void> {
  const chosen = chosenNetworks(selection);
  try {
    const touched = await call('/api/v3/network/chosen', chosen);
    // without devices there are no clients to disconnect
    const named = lines({ ...touched, users: 0 });
    confirmDelete(touched.total, [...named, t('networks.delete_full')], async () => {
      const { kept } = await call('/api/v3/network/batch_delete', chosen);
      if (kept > 0) notify('info', t('networks.delete_kept', { n: kept }));
      done();
      await queryClient.invalidateQueries();
    });
  } catch (error) {
    notifyError(error);
  }
}

export async function unbindChosenDevices(selection: Chosen, done: () => void): Promise<void> {
  const chosen = chosenDevices(selection);
  try {
    const touched = await call('/api/v3/ap/chosen', chosen);
    const effects = await unbindEffects(chosen);
    if (!effects) return;
    ask({
      title: t('batch.unbind_title', { n: touched.total }),
      body: t('batch.unbind_body'),
      losses: [
        ...lines(touched),
        ...effects,
        t('device.unbind_marks'),
        t('device.unbind_config'),
        t('device.unbind_certificate'),
      ],
      confirm: t('networks.unbind'),
      danger: true,
      typed: String(touched.total),
      act: async () => {
        const { devices } = await call('/api/v3/ap/unbind', chosen);
        notify('ok', t('batch.unbound', { n: devices }));
        done();
        await refreshFleet();
      },
    });
  } catch (error) {
    notifyError(error);
  }
}
