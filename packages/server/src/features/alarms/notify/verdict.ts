import type { AlarmState } from '@yunxun/contract';
import type { DropReason, NoticeTable } from './tables.ts';

export type Verdict = { send: NoticeTable['event'] } | { drop: DropReason };

/**
 * Drops incidents that recovered before their message.
 * @param waiting events, oldest first
 * @param notified whether the latest message said that it lasts
 */
export function verdictOf(
  { state, isFolded }: { state: AlarmState; isFolded: boolean },
  waiting: readonly NoticeTable['event'][],
  notified: boolean,
): Verdict {
  if (state === 'recovered')
    return notified && waiting.includes('recovered') ? { send: 'recovered' } : { drop: 'recovered' };
  if (state === 'acknowledged' || state === 'silenced') return { drop: state };
  if (isFolded) return { drop: 'folded' };
  const last = waiting.findLast((event) => event !== 'recovered');
  if (last === 'silence_ended' || last === 'repeated') return { send: last };
  return notified || last === undefined ? { drop: 'known' } : { send: last };
}
