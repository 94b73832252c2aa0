import type { AlarmKindParts } from '../kind.ts';

export const paymentDifference = {
  group: 'platform',
  about: 'account',
  causedBy: null,
  unit: 'orders',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 0, null],
    normal: ['MIDDLE', 0, null],
    strict: ['FATAL', 0, null],
  },
} as const satisfies AlarmKindParts;
