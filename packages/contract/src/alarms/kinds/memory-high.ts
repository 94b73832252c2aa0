import type { AlarmKindParts } from '../kind.ts';

export const memoryHigh = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '%',
  threshold: { min: 50, max: 100, worse: 'above' },
  presets: {
    quiet: ['GENERAL', 3600, 98],
    normal: ['GENERAL', 600, 95],
    strict: ['GENERAL', 300, 85],
  },
} as const satisfies AlarmKindParts;
