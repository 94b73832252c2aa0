import type { AlarmKindParts } from '../kind.ts';

export const healthLow = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '%',
  threshold: { min: 1, max: 99, worse: 'below' },
  presets: {
    quiet: ['GENERAL', 3600, 40],
    normal: ['GENERAL', 600, 60],
    strict: ['GENERAL', 300, 75],
  },
} as const satisfies AlarmKindParts;
