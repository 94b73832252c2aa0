import { mainTable, type PlanLine, type PlanRoute, type PlanRule } from './plan.ts';

export interface LineLease {
  address: string;
  gateway: string;
}

/** Returns kernel entries. A lost WAN keeps its table and rule for probes, and loses its default route in main. */
export function lineEntries(
  line: PlanLine,
  { address, gateway }: LineLease,
  alive: boolean,
): { routes: readonly PlanRoute[]; rules: readonly PlanRule[] } {
  const { device, table, metric } = line;
  const route = { to: 'default', via: gateway, device };
  return {
    routes: [{ ...route, table, metric: 0 }, ...(alive ? [{ ...route, table: mainTable, metric }] : [])],
    rules: [{ priority: line.rulePriority, from: address, mark: null, table, suppressDefault: false }],
  };
}
