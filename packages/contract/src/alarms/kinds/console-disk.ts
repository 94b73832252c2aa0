import type { AlarmKindParts } from '../kind.ts';

export const consoleDisk = {
  group: 'platform',
  about: 'console',
  causedBy: null,
  unit: '%',
  threshold: { min: 50, max: 100, worse: 'above' },
  presets: {
    quiet: ['FATAL', 600, 97],
    normal: ['FATAL', 300, 90],
    strict: ['FATAL', 60, 80],
  },
} as const satisfies AlarmKindParts;
