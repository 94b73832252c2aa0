import type { Saved } from './subscription.ts';

export const presets = ['quiet', 'normal', 'strict'] as const;
export type SubscriptionPreset = (typeof presets)[number];

type Values = Pick<Saved, 'levels' | 'quiet' | 'digest_minutes' | 'repeat_hours' | 'recovery'>;

/** `normal` are the values of a new subscription. Recipients, scope and schedule stay. */
export const presetValues: Readonly<Record<SubscriptionPreset, Values>> = {
  quiet: { levels: ['FATAL'], quiet: '22:00-07:00', digest_minutes: 15, repeat_hours: 0, recovery: true },
  normal: { levels: ['FATAL', 'MIDDLE'], quiet: null, digest_minutes: 0, repeat_hours: 0, recovery: true },
  strict: {
    levels: ['FATAL', 'MIDDLE', 'GENERAL'],
    quiet: null,
    digest_minutes: 0,
    repeat_hours: 4,
    recovery: true,
  },
};

export function presetOf(values: Values): SubscriptionPreset | null {
  return presets.find((preset) => same(presetValues[preset], values)) ?? null;
}

const same = (a: Values, b: Values): boolean =>
  a.quiet === b.quiet &&
  a.digest_minutes === b.digest_minutes &&
  a.repeat_hours === b.repeat_hours &&
  a.recovery === b.recovery &&
  a.levels.length === b.levels.length &&
  a.levels.every((level) => b.levels.includes(level));
