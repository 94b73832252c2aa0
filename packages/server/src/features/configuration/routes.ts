import { configuration, gateway as gatewayContract, groupSettings, switches as switchContract } from '@yunxun/contract';
import { implement, type Route } from '../../platform/http/call.ts';
import type { Configuration } from './service.ts';

export function configurationRoutes({
  wireless,
  gateway,
  overrides,
  devices,
  effective,
  groups,
  switches,
}: Configuration): Route[] {
  const ofGateways = implement(gatewayContract, {
    gatewayGet: ({ tx, acting, input }) => gateway.get(tx, acting.accountId, input.gwid),
    gatewayPreview: ({ tx, acting, input }) => gateway.preview(tx, acting, input),
    gatewaySave: ({ tx, acting, input }) => gateway.save(tx, acting, input),
  });
  const ofDevices = implement(configuration, {
    wirelessGet: ({ tx, acting, input }) => wireless.get(tx, acting, input.gwid),
    wirelessSave: ({ tx, acting, input }) => wireless.save(tx, acting, input),
    wirelessRevert: ({ tx, acting, input }) => wireless.revert(tx, acting, input),
    wirelessRevertPreview: ({ tx, acting, input }) => wireless.revertPreview(tx, acting.accountId, input),
    wirelessPreview: ({ tx, acting, input }) => wireless.preview(tx, acting.accountId, input),
    deviceConfigGet: ({ tx, acting, input }) => devices.get(tx, acting.accountId, input.serial),
    deviceConfigVersions: ({ tx, acting, input }) => devices.versions(tx, acting.accountId, input),
    deviceConfigRetry: ({ tx, acting, input }) => devices.retry(tx, acting, input.serial),
    apEffectiveGet: ({ tx, acting, input }) => effective(tx, acting.accountId, input.serial),
    apOverrideGet: ({ tx, acting, input }) => overrides.get(tx, acting.accountId, input.serial),
    apOverrideSave: ({ tx, acting, input }) => overrides.save(tx, acting, input),
  });
  const ofGroups = implement(groupSettings, {
    groupSettingsGet: ({ tx, acting, input }) => groups.get(tx, acting, input.group_id),
    groupSettingsPreview: ({ tx, acting, input }) => groups.preview(tx, acting, input),
    groupSettingsSave: ({ tx, acting, input }) => groups.save(tx, acting, input),
    groupSettingsRevert: ({ tx, acting, input }) => groups.revert(tx, acting, input),
    groupSettingsRevertPreview: ({ tx, acting, input }) => groups.revertPreview(tx, acting, input),
  });
  const ofSwitches = implement(switchContract, {
    switchPorts: ({ tx, acting, input }) => switches.ports(tx, acting.accountId, input.serial),
    switchPortFind: ({ tx, acting, input }) => switches.find(tx, acting.accountId, input),
    switchPortPreview: ({ tx, acting, input }) => switches.preview(tx, acting.accountId, input),
    switchPortSave: ({ tx, acting, input }) => switches.save(tx, acting, input),
    switchPortCycle: ({ tx, acting, input }) => switches.cycle(tx, acting, input),
  });
  return [...ofDevices, ...ofGateways, ...ofGroups, ...ofSwitches];
}
