import type { AlarmKindParts } from '../kind.ts';

/** Failed sign-ins of 30 minutes. */
export const portalFailed = {
  group: 'service',
  about: 'network',
  causedBy: null,
  unit: '',
  threshold: { min: 5, max: 10_000, worse: 'above' },
  presets: {
    quiet: ['GENERAL', 1800, 50],
    normal: ['GENERAL', 300, 20],
    strict: ['MIDDLE', 0, 10],
  },
} as const satisfies AlarmKindParts;
