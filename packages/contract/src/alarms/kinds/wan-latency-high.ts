import type { AlarmKindParts } from '../kind.ts';

export const wanLatencyHigh = {
  group: 'internet',
  about: 'device',
  causedBy: null,
  unit: 'ms',
  threshold: { min: 10, max: 10_000, worse: 'above' },
  presets: {
    quiet: ['GENERAL', 3600, 300],
    normal: ['GENERAL', 600, 150],
    strict: ['GENERAL', 300, 100],
  },
} as const satisfies AlarmKindParts;
