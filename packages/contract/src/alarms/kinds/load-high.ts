import type { AlarmKindParts } from '../kind.ts';

/** Load of one minute, as the device reports it. */
export const loadHigh = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: { min: 1, max: 100, worse: 'above' },
  presets: {
    quiet: ['GENERAL', 3600, 8],
    normal: ['GENERAL', 900, 4],
    strict: ['GENERAL', 600, 2],
  },
} as const satisfies AlarmKindParts;
