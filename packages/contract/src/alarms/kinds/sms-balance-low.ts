import type { AlarmKindParts } from '../kind.ts';

export const smsBalanceLow = {
  group: 'platform',
  about: 'account',
  causedBy: null,
  unit: 'messages',
  threshold: null,
  presets: {
    quiet: ['GENERAL', 0, null],
    normal: ['MIDDLE', 0, null],
    strict: ['FATAL', 0, null],
  },
} as const satisfies AlarmKindParts;
