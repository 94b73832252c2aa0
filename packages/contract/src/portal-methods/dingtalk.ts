import { allowed, client_id, secret, withRules } from './login-app.ts';
import type { MethodShape } from './method.ts';

export const dingtalk = {
  settings: { client_id, allowed },
  defaults: { allowed: [] },
  stored: withRules,
  secret,
  secretOf: ['client_id'],
  login: true,
} as const satisfies MethodShape;
