import type { AlarmKindParts } from '../kind.ts';

export const wanDown = {
  group: 'internet',
  about: 'device',
  causedBy: null,
  unit: '',
  threshold: null,
  presets: {
    quiet: ['MIDDLE', 600, null],
    normal: ['MIDDLE', 60, null],
    strict: ['FATAL', 0, null],
  },
} as const satisfies AlarmKindParts;
