import { t } from '../../app/i18n.ts';
import { type Search, useSearch } from '../../app/search.ts';
import { DayInput } from '../fields/day-input.tsx';
import { date, startOfDay } from '../format.ts';
import type { Filter } from './columns.ts';

export const ranges = ['today', '24h', '7d', '30d', 'custom'] as const;
type Range = (typeof ranges)[number];

/** Half-open period; an absent end is open. */
export interface Span {
  from?: string;
  to?: string;
}

const hour = 3_600_000;
const dayPattern = /^\d{4}-\d\d-\d\d$/;

const midnight = (of: Date, days: number, zone?: string): string => startOfDay(of, days, zone).toISOString();

function dayOf(text: string | undefined, zone?: string): Date | null {
  const noon = text && dayPattern.test(text) ? new Date(`${text}T12:00Z`) : null;
  if (!noon || Number.isNaN(noon.getTime())) return null;
  // noon UTC falls on a neighbouring day in some zones
  return [0, -1, 1].map((days) => startOfDay(noon, days, zone)).find((day) => date(day, zone) === text) ?? null;
}

/** Starts on a full hour or day: re-renders reuse the query. @param zone default: the person's */
export function spanOf(range: Range, search: Search, now: Date, zone?: string): Span {
  if (range === 'today') return { from: midnight(now, 0, zone) };
  if (range === '24h') return { from: new Date((Math.floor(now.getTime() / hour) - 24) * hour).toISOString() };
  if (range === '7d') return { from: midnight(now, -6, zone) };
  if (range === '30d') return { from: midnight(now, -29, zone) };
  const [first, last] = [dayOf(search.first, zone), dayOf(search.last, zone)];
  return { ...(first && { from: midnight(first, 0, zone) }), ...(last && { to: midnight(last, 1, zone) }) };
}

export function timeFilter(search: Search, zone?: string): Filter {
  return {
    name: 'range',
    label: t('log.time'),
    options: ranges.map((value) => ({ value, label: t(`log.range_${value}`) })),
    input: (value) => spanOf(value as Range, search, new Date(), zone),
  };
}

export function OwnDays() {
  const [search, change] = useSearch();
  if (search.range !== 'custom') return null;
  return (
    <>
      {(['first', 'last'] as const).map((name) => (
        <DayInput
          key={name}
          small
          label={t(`log.${name}_day`)}
          value={search[name] ?? ''}
          min={name === 'last' ? search.first : undefined}
          onChange={(day) => {
            if (day === '' || dayPattern.test(day)) change({ page: undefined, [name]: day });
          }}
        />
      ))}
    </>
  );
}
