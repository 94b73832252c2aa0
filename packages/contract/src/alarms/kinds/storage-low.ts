import type { AlarmKindParts } from '../kind.ts';

export const storageLow = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '%',
  threshold: { min: 50, max: 100, worse: 'above' },
  presets: {
    quiet: ['MIDDLE', 3600, 98],
    normal: ['MIDDLE', 600, 90],
    strict: ['MIDDLE', 300, 80],
  },
} as const satisfies AlarmKindParts;
