import { Type } from 'typebox';
import { client_id, secret } from './login-app.ts';
import type { MethodShape } from './method.ts';

export const wecom = {
  settings: {
    client_id,
    agent_id: Type.String({ pattern: '^[0-9]{1,12}$', hint: 'agentId' }),
  },
  secret,
  secretOf: ['client_id', 'agent_id'],
  login: true,
} as const satisfies MethodShape;
