import { radioPlanRoutes } from './routes.ts';
import { createRadioPlanService, type RadioPlanDeps } from './service.ts';
import { knownPlans } from './store.ts';

export function createRadioPlans(deps: RadioPlanDeps) {
  const plans = createRadioPlanService(deps);
  return { routes: () => radioPlanRoutes(plans), objects: { plan: knownPlans } };
}
