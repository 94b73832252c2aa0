import { allowed, client_id, issuer, secret, withRules } from './login-app.ts';
import type { MethodShape } from './method.ts';

export const oidc = {
  settings: { issuer, client_id, allowed },
  defaults: { allowed: [] },
  stored: withRules,
  secret,
  secretOf: ['issuer', 'client_id'],
  login: true,
} as const satisfies MethodShape;
