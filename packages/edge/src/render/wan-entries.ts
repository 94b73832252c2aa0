import { mainTable, type PlanRoute, type PlanRule, type PlanWan } from './plan.ts';

export interface WanLease {
  address: string;
  gateway: string;
}

const deviceRuleOffset = 20;

/**
 * Returns kernel entries. A lost WAN keeps its table and rules for probes, and loses its default route in main. An
 * address that several WANs have belongs to one of them; probes are told apart by device.
 */
export function wanEntries(
  wan: PlanWan,
  { address, gateway }: WanLease,
  { alive, ownsAddress = true }: { alive: boolean; ownsAddress?: boolean },
): { routes: readonly PlanRoute[]; rules: readonly PlanRule[] } {
  const { device, table, metric } = wan;
  const route = { to: 'default', via: gateway, device };
  return {
    routes: [{ ...route, table, metric: 0 }, ...(alive ? [{ ...route, table: mainTable, metric }] : [])],
    rules: [
      ...(ownsAddress
        ? [{ priority: wan.rulePriority, from: address, mark: null, table, suppressDefault: false }]
        : []),
      {
        priority: wan.rulePriority + deviceRuleOffset,
        from: null,
        oif: device,
        mark: null,
        table,
        suppressDefault: false,
      },
    ],
  };
}
