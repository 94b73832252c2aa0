import { mainTable, type PlanRoute, type PlanRule, type PlanWan } from './plan.ts';

export interface WanLease {
  address: string;
  gateway: string;
}

/** Returns kernel entries. A lost WAN keeps its table and rule for probes, and loses its default route in main. */
export function wanEntries(
  wan: PlanWan,
  { address, gateway }: WanLease,
  alive: boolean,
): { routes: readonly PlanRoute[]; rules: readonly PlanRule[] } {
  const { device, table, metric } = wan;
  const route = { to: 'default', via: gateway, device };
  return {
    routes: [{ ...route, table, metric: 0 }, ...(alive ? [{ ...route, table: mainTable, metric }] : [])],
    rules: [{ priority: wan.rulePriority, from: address, mark: null, table, suppressDefault: false }],
  };
}
