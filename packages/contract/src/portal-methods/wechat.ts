import { client_id, secret } from './login-app.ts';
import type { MethodShape } from './method.ts';

export const wechat = {
  settings: { client_id },
  secret,
  secretOf: ['client_id'],
  login: true,
} as const satisfies MethodShape;
