import { radioPlan as contract } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { RadioPlans } from './service.ts';

export function radioPlanRoutes(plans: RadioPlans): Route[] {
  return implement(contract, {
    planStart: ({ tx, acting, input }) => plans.start(tx, acting, input),
    planScan: ({ tx, acting, input }) => plans.scan(tx, acting, input.gwid),
    planResult: ({ tx, acting, input }) => plans.result(tx, acting.accountId, input.id),
    planApply: ({ tx, acting, input }) => plans.apply(tx, acting, input),
    async planDiscard({ tx, acting, input }) {
      await plans.discard(tx, acting, input.id);
      return {};
    },
    planHistory: ({ tx, acting, input }) => plans.history(tx, acting.accountId, input),
  });
}
