import type { Static } from 'typebox';
import { Words } from '../shapes.ts';
import type { MethodShape } from './method.ts';

/** Changes at local midnight; weekly: on Monday. */
export const PasswordPeriod = Words(['day', 'week']);
export type PasswordPeriod = Static<typeof PasswordPeriod>;

export const dynamicPassword = {
  settings: { every: PasswordPeriod },
  defaults: { every: 'day' },
  secret: {},
} as const satisfies MethodShape;
