import type { Data, Input } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import type { Tone } from '../../ui/status.tsx';

export type Report = Data<'/api/v3/report/list'>['list'][number];
export type Saved = Input<'/api/v3/report/save'>;
export type Period = Saved['period'];

export const periods = ['day', 'week'] as const;
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

export const stateTones: Record<Report['last'][number]['state'], Tone> = { waiting: 'info', sent: 'ok', failed: 'bad' };

export const refreshReports = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === '/api/v3/report/list' });

export const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

export const weekdayText = (day: number) => t(`subscription.day_${day as (typeof weekdays)[number]}`);

export function whenText({ period, weekday, hour }: Pick<Report, 'period' | 'weekday' | 'hour'>): string {
  const time = hourText(hour);
  return period === 'day'
    ? t('reports.daily_at', { time })
    : t('reports.weekly_at', { day: weekdayText(weekday), time });
}
