import type { EdgeHopResult } from '@yunxun/contract/device';
import type { Plan, PlanNode } from './compile/index.ts';
import { pathOf } from './compile/index.ts';

/** What the gateway with this key found during the test; null: it did not answer, or its agent cannot. */
export type Probes = ReadonlyMap<string, EdgeHopResult | null>;

type Verdict = 'ok' | 'failed' | 'unknown' | 'skipped';

export interface HostVerdict {
  host: Verdict;
  firewall: Verdict;
  reason: string | null;
}

/** The preferred way first. */
export function waysOf(plan: Plan, from: string, to: string): string[][] {
  const first = pathOf(plan, from, to);
  if (first === null) return [];
  const [main, bak] = (['main', 'bak'] as const).map((role) => plan.nodes.find((node) => node.role === role)?.key);
  const detours = plan.type === 2 && main !== undefined && bak !== undefined && first.length > 1;
  if (!detours || first.includes(bak)) return [first];
  return [first, [from, bak, to]];
}

export function hopsOf(
  plan: Plan,
  ways: readonly (readonly string[])[],
): Map<string, { own: string; peers: string[] }> {
  const byKey = new Map(plan.nodes.map((node) => [node.key, node]));
  const hops = new Map<string, { own: string; peers: Set<string> }>();
  const peersOf = (key: string) => {
    const hop = hops.get(key) ?? { own: byKey.get(key)!.address, peers: new Set<string>() };
    hops.set(key, hop);
    return hop.peers;
  };
  for (const way of ways)
    way.forEach((key, at) => {
      for (const other of [way[at - 1], way[at + 1]])
        if (other !== undefined) peersOf(key).add(byKey.get(other)!.address);
    });
  return new Map([...hops].map(([key, { own, peers }]) => [key, { own, peers: [...peers] }]));
}

export interface Found {
  probes: Probes;
  /** By reports, for a tunnel that neither end could probe. */
  reported(one: string, other: string): boolean | null;
}

/** An answer at either end proves the tunnel. */
function tunnelBetween(one: PlanNode, other: PlanNode, { probes, reported }: Found): boolean | null {
  const reports = [
    [one, other],
    [other, one],
  ].map(([own, peer]) => probes.get(own!.key)?.tunnels.find(({ address }) => address === peer!.address)?.answers);
  if (reports.includes(true)) return true;
  return reports.includes(false) ? false : reported(one.key, other.key);
}

/** Takes the first way whose tunnels all answer, else tells where the preferred one ends. */
export function judgeTunnels(
  plan: Plan,
  ways: readonly string[][],
  found: Found,
): { tunnel: 'ok' | 'failed' | 'unknown'; path: string[]; failedAt: string | null } {
  const byKey = new Map(plan.nodes.map((node) => [node.key, node]));
  const judged = ways.map((path) => ({
    path,
    links: path.slice(1).map((key, at) => tunnelBetween(byKey.get(path[at]!)!, byKey.get(key)!, found)),
  }));
  const whole = judged.find(({ links }) => links.every((link) => link === true));
  if (whole) return { tunnel: 'ok', path: whole.path, failedAt: null };
  const open = judged.find(({ links }) => !links.includes(false));
  if (open) return { tunnel: 'unknown', path: open.path, failedAt: null };
  const { path, links } = judged[0]!;
  return { tunnel: 'failed', path, failedAt: path[links.indexOf(false) + 1]! };
}

/**
 * Tells apart, for a target that did not answer through the tunnels, what its own gateway finds on the LAN.
 * @param refused the far end refused the connection
 */
export function judgeHost(found: EdgeHopResult['host'] | undefined, refused: boolean): HostVerdict {
  if (!found)
    return { host: 'unknown', firewall: 'unknown', reason: refused ? 'sdwan.test_refused' : 'sdwan.test_unasked' };
  const { present, ping, tcp } = found;
  if (present === false) return { host: 'failed', firewall: 'skipped', reason: 'sdwan.test_no_host' };
  if (tcp === 'closed' && refused) return { host: 'ok', firewall: 'ok', reason: 'sdwan.test_closed' };
  if (tcp === 'open' && refused) return { host: 'ok', firewall: 'failed', reason: 'sdwan.test_rejected' };
  if (tcp === 'open' || tcp === 'closed' || (tcp === null && ping))
    return { host: 'ok', firewall: 'failed', reason: 'sdwan.test_dropped' };
  const reason = tcp === null ? 'sdwan.test_no_reply' : 'sdwan.test_port_silent';
  return { host: ping || present ? 'ok' : 'unknown', firewall: 'unknown', reason };
}
