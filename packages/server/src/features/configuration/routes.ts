import { configuration } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Configuration } from './service.ts';

/** The endpoints of wireless settings and of devices' configurations. */
export function configurationRoutes({ wireless, overrides, devices }: Configuration): Route[] {
  return implement(configuration, {
    wirelessGet: ({ tx, acting, input }) => wireless.get(tx, acting.accountId, input.gwid),
    wirelessSave: ({ tx, acting, input }) => wireless.save(tx, acting, input),
    wirelessPreview: ({ tx, acting, input }) => wireless.preview(tx, acting.accountId, input),
    deviceConfigGet: ({ tx, acting, input }) => devices.get(tx, acting.accountId, input.serial),
    deviceConfigVersions: ({ tx, acting, input }) => devices.versions(tx, acting.accountId, input),
    deviceConfigRetry: ({ tx, acting, input }) => devices.retry(tx, acting, input.serial),
    apOverrideGet: ({ tx, acting, input }) => overrides.get(tx, acting.accountId, input.serial),
    apOverrideSave: ({ tx, acting, input }) => overrides.save(tx, acting, input),
  });
}
