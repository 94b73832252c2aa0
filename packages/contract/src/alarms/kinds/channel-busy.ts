import type { AlarmKindParts } from '../kind.ts';

export const channelBusy = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '%',
  threshold: { min: 20, max: 100, worse: 'above' },
  presets: {
    quiet: null,
    normal: ['GENERAL', 1800, 85],
    strict: ['GENERAL', 900, 70],
  },
} as const satisfies AlarmKindParts;
