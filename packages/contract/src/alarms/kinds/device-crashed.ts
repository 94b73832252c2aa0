import type { AlarmKindParts } from '../kind.ts';

export const deviceCrashed = {
  group: 'health',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 0, null],
    normal: ['MIDDLE', 0, null],
    strict: ['MIDDLE', 0, null],
  },
} as const satisfies AlarmKindParts;
