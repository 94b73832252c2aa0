import type { RawNumber, ScorePart } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import { count } from '../../ui/format.ts';

export function short(value: number): string {
  return count(Math.round(value * 10) / 10);
}

export function share(value: number): string {
  return `${short(value)}%`;
}

export function dbm(value: number): string {
  return `${short(value)} dBm`;
}

export function measuredText(part: ScorePart, value: number): string {
  if (part === 'noise') return dbm(value);
  return part === 'load' ? t('radio.per_radio', { n: short(value) }) : share(value);
}

export function rawText(name: RawNumber, value: number): string {
  if (name.startsWith('noise')) return dbm(value);
  return name.startsWith('utilization') ? share(value) : short(value);
}

/** Minimum scores of good and fair, as in docs/metrics. */
const GOOD = 80;
const FAIR = 60;

export type Level = 'good' | 'fair' | 'poor';

export function levelOf(points: number): Level {
  if (points >= GOOD) return 'good';
  return points >= FAIR ? 'fair' : 'poor';
}

export const levelLooks = {
  good: { tone: 'ok', shape: 'check' },
  fair: { tone: 'warn', shape: 'triangle' },
  poor: { tone: 'bad', shape: 'cross' },
} as const;
