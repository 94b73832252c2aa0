import { t } from '../../app/i18n.ts';
import { ask } from '../dialog-host.tsx';
import { notify } from '../toast.tsx';

export function confirmDelete(count: number, lines: readonly string[], remove: () => Promise<unknown>): void {
  ask({
    title: t('table.delete_title', { n: count }),
    body: t('table.delete_body'),
    losses: lines,
    confirm: t('action.delete'),
    danger: true,
    act: async () => {
      await remove();
      notify('ok', t('table.deleted'));
    },
  });
}
