import type { AlarmKindParts } from '../kind.ts';

export const certificateExpiring = {
  group: 'configuration',
  about: 'device',
  causedBy: null,
  unit: 'd',
  threshold: { min: 1, max: 180, worse: 'below' },
  presets: {
    quiet: ['MIDDLE', 0, 7],
    normal: ['MIDDLE', 0, 30],
    strict: ['MIDDLE', 0, 60],
  },
} as const satisfies AlarmKindParts;
