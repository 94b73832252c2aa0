import { personal, personalSecurity } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import { accessHandlers } from './access.ts';
import type { PersonalDeps } from './context.ts';
import { factorHandlers } from './factors.ts';
import { loginHandlers } from './logins.ts';
import { profileHandlers } from './profile.ts';
import { securityHandlers } from './security.ts';

export function personalRoutes(deps: PersonalDeps): Route[] {
  const handlers = {
    ...profileHandlers(deps),
    ...loginHandlers(deps),
    ...securityHandlers(deps),
    ...factorHandlers(deps),
    ...accessHandlers(deps),
  };
  return [...implement(personal, handlers), ...implement(personalSecurity, handlers)];
}
