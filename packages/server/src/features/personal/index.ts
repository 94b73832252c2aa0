import type { ObjectResolver } from '../../platform/http/http-options.ts';
import { sessions, tokens } from '../identity/index.ts';
import type { PersonalDeps } from './context.ts';
import { personalRoutes } from './routes.ts';
import { tokensOfUnbound } from './unbind.ts';

export function createPersonal(deps: PersonalDeps) {
  const objects: Readonly<Record<string, ObjectResolver>> = {
    session: sessions.knownSessions,
    token: tokens.knownTokens,
    passkey: deps.identity.passkeys.known,
  };
  return { routes: () => personalRoutes(deps), objects, unbind: tokensOfUnbound(deps.bus) };
}
