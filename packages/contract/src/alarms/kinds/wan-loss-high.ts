import type { AlarmKindParts } from '../kind.ts';

export const wanLossHigh = {
  group: 'internet',
  about: 'device',
  causedBy: null,
  unit: '%',
  threshold: { min: 1, max: 100, worse: 'above' },
  presets: {
    quiet: ['GENERAL', 3600, 20],
    normal: ['GENERAL', 600, 10],
    strict: ['MIDDLE', 300, 5],
  },
} as const satisfies AlarmKindParts;
