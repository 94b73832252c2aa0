import { limits } from '@yunxun/contract';
import { dayOf } from '../calendar.ts';
import type { Tx } from '../database/index.ts';
import { Failure, tooManyUntil } from '../failure.ts';
import { countUp } from '../guesses/index.ts';
import { addressKey } from '../http/address.ts';
import type { Channel } from './message.ts';

const hourMs = 3_600_000;

interface Target {
  channel: Channel;
  target: string;
}

/**
 * Counts messages to chosen addresses.
 * @returns what is left today for a mobile; null for e-mail @throws Failure tooManyRequests, smsQuota
 */
export async function countMessage(tx: Tx, to: Target, caller: { ip: string }, now: Date): Promise<number | null> {
  const sms = to.channel === 'sms';
  const caps = [
    [addressKey(caller.ip), sms ? limits.smsCodesPerAddressHour : limits.emailCodesPerAddressHour],
    ['installation', sms ? limits.smsCodesPerHour : limits.emailCodesPerHour],
  ] as const;
  for (const [whose, max] of caps) {
    const count = await countUp(tx, `code:${to.channel}:${whose}`, now, new Date(now.getTime() + hourMs));
    if (count.count > max) throw tooManyUntil(count.expiresAt, now);
  }
  return takeOfDay(tx, to, now);
}

async function takeOfDay(tx: Tx, { channel, target }: Target, now: Date): Promise<number | null> {
  const day = dayOf(now, 'Asia/Shanghai');
  const midnight = new Date(`${day}T24:00:00+08:00`);
  const { count } = await countUp(tx, `${channel}:${target}:${day}`, now, midnight);
  if (channel === 'email') {
    if (count > limits.emailCodesPerDay) throw tooManyUntil(midnight, now);
    return null;
  }
  if (count > limits.smsCodesPerDay) throw new Failure('smsQuota', { params: { limit: limits.smsCodesPerDay } });
  return limits.smsCodesPerDay - count;
}
