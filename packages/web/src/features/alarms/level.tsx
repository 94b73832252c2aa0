import type { AlarmLevel } from '@yunxun/contract';
import { t } from '../../app/i18n.ts';
import { Tag, type Tone } from '../../ui/status.tsx';

const looks = {
  FATAL: { tone: 'bad', shape: 'triangle' },
  MIDDLE: { tone: 'warn', shape: 'diamond' },
  GENERAL: { tone: 'info', shape: 'dot' },
} as const satisfies Record<AlarmLevel, { tone: Tone; shape: string }>;

export const levels = ['FATAL', 'MIDDLE', 'GENERAL'] as const satisfies readonly AlarmLevel[];

/** A level by colour, shape and word. */
export function LevelTag({ level }: { level: AlarmLevel }) {
  return <Tag {...looks[level]}>{t(`alarm_level.${level}`)}</Tag>;
}
