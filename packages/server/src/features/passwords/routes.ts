import { passwords as contract } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Passwords } from './service.ts';

export function passwordRoutes(passwords: Passwords): Route[] {
  return implement(contract, {
    passwordList: ({ tx, acting, input }) => passwords.list(tx, acting, input),
    passwordSsids: ({ tx, acting, input }) => passwords.ssids(tx, acting, input.gwids),
    passwordCreate: ({ tx, acting, input }) => passwords.create(tx, acting, input),
    passwordUpdate: ({ tx, acting, input }) => passwords.update(tx, acting, input),
    passwordPause: ({ tx, acting, input }) => passwords.pause(tx, acting, input),
    passwordRotate: ({ tx, acting, input }) => passwords.rotate(tx, acting, input.id),
    passwordDelete: ({ tx, acting, input }) => passwords.remove(tx, acting, input.id),
    passwordHistory: ({ tx, acting, input }) => passwords.history(tx, acting, input.id),
    passwordReveal: ({ tx, acting, input }) => passwords.reveal(tx, acting, input),
  });
}
