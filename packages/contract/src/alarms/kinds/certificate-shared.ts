import type { AlarmKindParts } from '../kind.ts';

export const certificateShared = {
  group: 'configuration',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: ['MIDDLE', 0, null],
    normal: ['MIDDLE', 0, null],
    strict: ['FATAL', 0, null],
  },
} as const satisfies AlarmKindParts;
