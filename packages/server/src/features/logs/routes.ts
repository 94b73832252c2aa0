import { logs } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import { operations, verifyChain } from './service.ts';

/** The log screens' endpoints. */
export function logRoutes(): Route[] {
  return implement(logs, {
    actionList: ({ tx, acting, input }) => operations(tx, acting.accountId, input),
    actionVerify: ({ tx, acting }) => verifyChain(tx, acting.accountId),
  });
}
