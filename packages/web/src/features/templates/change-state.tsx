import { t } from '../../app/i18n.ts';
import { Tag, type Tone } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import type { ChangeRow } from './template-change.ts';

export function ChangeTag({ row }: { row: ChangeRow }) {
  const { word, tone } = changeState(row);
  return (
    <>
      <Tag tone={tone}>{t(`change.${word}`)}</Tag>
      {word === 'scheduled' && row.start_at && (
        <div className="small dim nowrap">
          <ShortTime at={row.start_at} />
        </div>
      )}
    </>
  );
}

export function changeState({ open, reversed, sums, start_at }: ChangeRow): { word: Word; tone: Tone } {
  const bad = sums.rejected + sums.failed + sums.reverted;
  if (open && sums.queued === sums.total && start_at) return { word: 'scheduled', tone: 'none' };
  if (open && sums.queued + sums.running === 0) return { word: 'waiting', tone: 'warn' };
  if (open) return { word: 'running', tone: 'brand' };
  if (reversed) return { word: 'reversed', tone: 'warn' };
  if (sums.taken_back > 0) return { word: 'partly_reversed', tone: 'warn' };
  if (sums.cancelled > 0) return { word: 'stopped', tone: 'warn' };
  return bad > 0 ? { word: 'partly', tone: 'bad' } : { word: 'done', tone: 'ok' };
}
type Word = 'scheduled' | 'waiting' | 'running' | 'reversed' | 'partly_reversed' | 'stopped' | 'partly' | 'done';

export function sumsText({ sums }: Pick<ChangeRow, 'sums'>): string {
  const { total, ...states } = sums;
  const reported = Object.entries(states) as [keyof typeof states, number][];
  return [
    t('change.total', { n: total }),
    ...reported.filter(([, n]) => n > 0).map(([state, n]) => t(`change.sum_${state}`, { n })),
  ].join(' · ');
}
