import type { AlarmKindParts } from '../kind.ts';

export const sdwanPathChanged = {
  group: 'internet',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: null,
    normal: ['MIDDLE', 0, null],
    strict: ['MIDDLE', 0, null],
  },
} as const satisfies AlarmKindParts;
