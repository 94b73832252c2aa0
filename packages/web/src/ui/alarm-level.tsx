import type { AlarmLevel } from '@yunxun/contract';
import { t } from '../app/i18n.ts';
import { Shape, Tag, type Tone } from './status.tsx';

const looks = {
  FATAL: { tone: 'bad', shape: 'triangle' },
  MIDDLE: { tone: 'warn', shape: 'diamond' },
  GENERAL: { tone: 'info', shape: 'dot' },
} as const satisfies Record<AlarmLevel, { tone: Tone; shape: string }>;

/** Worst first. */
export const levels = ['FATAL', 'MIDDLE', 'GENERAL'] as const satisfies readonly AlarmLevel[];

/** A level by colour, shape and word. */
export function LevelTag({ level }: { level: AlarmLevel }) {
  return <Tag {...looks[level]}>{t(`alarm_level.${level}`)}</Tag>;
}

/** Shows a level's shape; its colour comes from `levelTone`, its word from a label beside it. */
export function LevelShape({ level }: { level: AlarmLevel }) {
  return <Shape kind={looks[level].shape} />;
}

/** As in its tag. */
export const levelTone = (level: AlarmLevel): Tone => looks[level].tone;
