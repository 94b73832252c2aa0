import type { Row } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { ago } from '../../ui/format.ts';
import { operatorName } from '../../ui/operator.ts';
import { Tag, type Tone } from '../../ui/status.tsx';
import { useNow } from '../../ui/time.tsx';

export type BackupRow = Row<'/api/v3/cloud_backup/list'>;
export type RouterRow = Row<'/api/v3/cloud_backup/router/list'>;
export type RestoreRow = Row<'/api/v3/cloud_backup/restore/list'>;
export type Plan = RouterRow['plan'];

export const types = ['auto', 'manual', 'pre_change', 'pre_upgrade', 'uploaded'] as const;
export const sections = ['wireless', 'gateway', 'devices', 'templates'] as const;

export function causeText({ type, cause }: Pick<BackupRow, 'type' | 'cause'>): string {
  const why = cause && textOf(`config.cause.${cause}`);
  return why ? t('backup.type_because', { type: t(`backup.type_${type}`), why }) : t(`backup.type_${type}`);
}

export function planText({ cycle, hour, weekday }: Plan): string {
  const time = `${String(hour).padStart(2, '0')}:00`;
  if (cycle === 'off') return t('backup.plan_off');
  if (cycle === 'daily') return t('backup.plan_daily', { time });
  return t('backup.plan_weekly', { day: t(`backup.weekday_${weekday as 1}`), time });
}

export const madeBy = ({ created_by }: Pick<BackupRow, 'created_by'>) => operatorName(created_by);

const dayMs = 86_400_000;

/** Age of the last backup: good for two days, warning for two weeks, then bad. */
export function Age({ at }: { at: string | null }) {
  const now = useNow();
  if (!at) return <Tag tone="none">{t('backup.never')}</Tag>;
  const days = (now - Date.parse(at)) / dayMs;
  const tone: Tone = days <= 2 ? 'ok' : days <= 14 ? 'warn' : 'bad';
  return <Tag tone={tone}>{ago(new Date(at), now)}</Tag>;
}
