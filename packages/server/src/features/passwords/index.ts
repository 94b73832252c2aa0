import { passwordRoutes } from './routes.ts';
import { createRules, type PasswordsDeps } from './service.ts';

export { createPasswordReader, passwordRulesAt } from './service.ts';

export function createPasswords(deps: PasswordsDeps) {
  const rules = createRules(deps);
  return { ...rules, routes: () => passwordRoutes(rules) };
}
