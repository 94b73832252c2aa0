import { t } from '../../app/i18n.ts';
import type { Filter } from '../../ui/table/columns.ts';

const statuses = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;
const syncs = ['in_sync', 'pending', 'applying', 'failed', 'drifted'] as const;

/** By presence. */
export const statusFilter = (): Filter => ({
  name: 'status',
  label: t('networks.status'),
  options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
});

/** By where the configuration stands. */
export const syncFilter = (): Filter => ({
  name: 'sync_state',
  label: t('networks.config'),
  options: syncs.map((value) => ({ value, label: t(`sync.${value}`) })),
});
