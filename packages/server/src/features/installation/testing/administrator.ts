import type { Registered, TestServer } from '../../../../test/server.ts';
import { newSetupToken } from '../settings.ts';

/** Registers a person who opens the set-up link. */
export async function administrator(server: TestServer): Promise<Registered> {
  const person = await server.register();
  const token = await newSetupToken(server.db.database);
  const claimed = await server.call('/api/v3/install/claim', { token }, person);
  if (claimed.code !== 2000) throw new Error(`claim: ${claimed.code} ${claimed.message}`);
  return person;
}

export const smtp = (port: number) => ({
  provider: 'smtp',
  host: '127.0.0.1',
  port,
  security: 'none',
  user: 'console',
  from: 'console@example.org',
});
