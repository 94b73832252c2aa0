import type { RawNumber, ScorePart } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import { count } from '../../ui/format.ts';

/** A number with at most one decimal. */
export function short(value: number): string {
  return count(Math.round(value * 10) / 10);
}

/** A share in percent, with at most one decimal. */
export function share(value: number): string {
  return `${short(value)}%`;
}

/** A level of power. */
export function dbm(value: number): string {
  return `${short(value)} dBm`;
}

/** What was measured for a part of the score, with its unit. */
export function measuredText(part: ScorePart, value: number): string {
  if (part === 'noise') return dbm(value);
  return part === 'load' ? t('radio.per_radio', { n: short(value) }) : share(value);
}

/** A raw number behind a part, with its unit. */
export function rawText(name: RawNumber, value: number): string {
  if (name.startsWith('noise')) return dbm(value);
  return name.startsWith('utilization') ? share(value) : short(value);
}

/** From here on a score is good, and fair; docs/metrics says so too. */
const GOOD = 80;
const FAIR = 60;

/** How a score is to be taken. */
export type Level = 'good' | 'fair' | 'poor';

/** The word for a number of points. */
export function levelOf(points: number): Level {
  if (points >= GOOD) return 'good';
  return points >= FAIR ? 'fair' : 'poor';
}

/** Its look: shape and colour beside the word. */
export const levelLooks = {
  good: { tone: 'ok', shape: 'check' },
  fair: { tone: 'warn', shape: 'triangle' },
  poor: { tone: 'bad', shape: 'cross' },
} as const;
