import { mainTable, type PlanLine, type PlanRoute, type PlanRule } from './plan.ts';

/** What a line has at the moment: its address without prefix, and its gateway. */
export interface LineLease {
  address: string;
  gateway: string;
}

/**
 * What a line with this address means in the kernel. A lost one keeps its own table and rule, so that it can still be
 * probed from its own address, and loses its default route in main; its connections are deleted by the line's mark.
 */
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
