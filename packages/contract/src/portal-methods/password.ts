import { Type } from 'typebox';
import type { MethodShape } from './method.ts';

export const password = {
  settings: {},
  secret: { password: Type.String({ rule: 'passwordFilter', minLength: 1, maxLength: 64 }) },
} as const satisfies MethodShape;
