import { t } from '../../app/i18n.ts';
import type { Filter } from '../../ui/table/columns.ts';

const statuses = ['online', 'offline', 'restarting', 'never_connected', 'unknown'] as const;
const syncs = ['in_sync', 'pending', 'applying', 'failed', 'drifted'] as const;

export const statusFilter = (): Filter => ({
  name: 'status',
  label: t('networks.status'),
  options: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
});

export const syncFilter = (): Filter => ({
  name: 'sync_state',
  label: t('networks.config'),
  options: syncs.map((value) => ({ value, label: t(`sync.${value}`) })),
});

export const tagFilter = (tags: readonly string[], named: string | undefined): Filter => ({
  name: 'tag',
  label: t('networks.tags'),
  options: [...new Set(named ? [...tags, named] : tags)].map((value) => ({ value, label: value })),
});

export const groupFilter = (groups: readonly { id: string; name: string }[], named: string | undefined): Filter => ({
  name: 'group',
  label: t('groups.group'),
  options: [
    { value: 'none', label: t('groups.none_filter') },
    ...groups.map(({ id, name }) => ({ value: id, label: name })),
    ...(named && named !== 'none' && !groups.some(({ id }) => id === named) ? [{ value: named, label: '…' }] : []),
  ],
  input: (value) => ({ group_id: value === 'none' ? null : value }),
});

export const templateFilter = (
  templates: readonly { id: string; name: string }[],
  named: string | undefined,
): Filter => ({
  name: 'template_id',
  label: t('aps.template'),
  options: [
    ...templates.map(({ id, name }) => ({ value: id, label: name })),
    ...(named && !templates.some(({ id }) => id === named) ? [{ value: named, label: '…' }] : []),
  ],
});

export const radioFilter = (): Filter => ({
  name: 'radio',
  label: t('aps.radio'),
  options: (['single', 'dual', 'triple'] as const).map((value) => ({ value, label: t(`aps.radio_${value}`) })),
});

export const backupFilter = (): Filter => ({
  name: 'backup',
  label: t('networks.backup'),
  options: (['week', 'month', 'none'] as const).map((value) => ({ value, label: t(`networks.backup_${value}`) })),
});

export const hostingFilter = (): Filter => ({
  name: 'hosting',
  label: t('networks.hosting'),
  options: (['hosted', 'unhosted'] as const).map((value) => ({ value, label: t(`networks.${value}`) })),
});

const oneOfThem = (name: string, label: string, values: readonly string[], named: string | undefined): Filter => ({
  name,
  label,
  options: [...new Set(named ? [...values, named] : values)].map((value) => ({ value, label: value })),
});

export const modelFilter = (models: readonly string[], named: string | undefined): Filter =>
  oneOfThem('model', t('networks.model'), models, named);

const outdated = 'outdated';

export const versionFilter = (versions: readonly string[], named: string | undefined): Filter => {
  const known = oneOfThem('version', t('networks.version'), versions, named === outdated ? undefined : named);
  return {
    ...known,
    options: [{ value: outdated, label: t('fleet.outdated') }, ...known.options],
    input: (version) => (version === outdated ? { firmware: outdated } : { version }),
  };
};

export const airFilter = (): Filter => ({
  name: 'air',
  label: t('aps.air'),
  options: (['busy', 'weak', 'noisy'] as const).map((value) => ({ value, label: t(`aps.air_${value}`) })),
});
