import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { type Peripheral, refreshPeripherals } from './peripheral.ts';

/** What a row opens. */
export type Opens = 'remote' | 'edit' | 'picture' | 'sign_in' | 'power';

export function RowActions({ row, open }: { row: Peripheral; open: (what: Opens) => void }) {
  const { name } = row;
  const mayWrite = useMay('network.write');
  const mayReach = useMay('remote.use');
  const maySeePorts = useMay('config.read');
  const hasPort = [row.web_port, row.shell_port, row.screen_port].some((port) => port !== null);
  const items: MenuItem[] = [];
  if (mayReach && row.type === 'camera')
    items.push({
      label: t('peripherals.picture_act'),
      icon: 'eye',
      why: row.web_port === null ? t('peripherals.no_web_port') : undefined,
      act: () => open('picture'),
    });
  if (mayReach && mayWrite)
    items.push({
      label: t('peripherals.sign_in'),
      icon: 'key',
      why: row.shell_port === null ? t('peripherals.no_shell_port') : undefined,
      act: () => open('sign_in'),
    });
  if (mayWrite && maySeePorts)
    items.push({
      label: t('peripherals.restart_power'),
      icon: 'bolt',
      why: row.mac === null ? t('peripherals.no_mac') : undefined,
      act: () => open('power'),
    });
  if (mayWrite)
    items.push(
      {
        label: t('peripherals.wake'),
        icon: 'power',
        why: row.mac === null ? t('peripherals.no_mac') : undefined,
        act: () => void wake(row).catch(notifyError),
      },
      { label: t('peripherals.delete'), icon: 'trash', danger: true, act: () => removeAll([row], () => {}) },
    );
  const more = t('peripherals.more', { name });
  return (
    <span className="row nowrap acts-foot">
      {mayReach && (
        <IconButton
          icon="monitor"
          label={t('peripherals.terminal', { name })}
          why={hasPort ? undefined : t('peripherals.no_remote_port')}
          onClick={() => open('remote')}
        />
      )}
      {mayWrite && <IconButton icon="edit" label={t('peripherals.edit', { name })} onClick={() => open('edit')} />}
      {items.length > 0 && (
        <Menu
          label={more}
          target={(trigger) => <IconButton icon="more" label={more} {...trigger} />}
          items={items}
          width={240}
        />
      )}
    </span>
  );
}

async function wake({ id }: Peripheral): Promise<void> {
  const { job_id } = await call('/api/v3/peripheral/wake', { id });
  openJobs(job_id);
}

export function removeAll(rows: readonly Peripheral[], done: () => void): void {
  const [first, ...others] = rows;
  if (!first) return;
  ask({
    title:
      others.length === 0
        ? t('peripherals.delete_one', { name: first.name })
        : t('peripherals.delete_title', { n: rows.length }),
    body: t('peripherals.delete_body'),
    confirm: t('peripherals.delete'),
    danger: true,
    act: async () => {
      await call('/api/v3/peripheral/delete', { ids: rows.map(({ id }) => id) });
      await refreshPeripherals();
      notify('ok', t('peripherals.deleted', { n: rows.length }));
      done();
    },
  });
}
