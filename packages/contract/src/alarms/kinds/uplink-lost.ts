import type { AlarmKindParts } from '../kind.ts';

export const uplinkLost = {
  group: 'offline',
  about: 'network',
  causedBy: 'connection',
  unit: '',
  threshold: null,
  presets: {
    quiet: ['MIDDLE', 1800, null],
    normal: ['MIDDLE', 300, null],
    strict: ['FATAL', 120, null],
  },
} as const satisfies AlarmKindParts;
