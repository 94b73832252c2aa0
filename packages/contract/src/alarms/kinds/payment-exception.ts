import type { AlarmKindParts } from '../kind.ts';

export const paymentException = {
  group: 'platform',
  about: 'account',
  causedBy: null,
  unit: 'orders',
  threshold: null,
  presets: {
    quiet: ['MIDDLE', 0, null],
    normal: ['FATAL', 0, null],
    strict: ['FATAL', 0, null],
  },
} as const satisfies AlarmKindParts;
