import { isDeepStrictEqual } from 'node:util';
import { type AskServer, askServer, type DnsAnswer, rankOf } from '../names/dns-query.ts';
import type { Plan, PlanWan } from '../render/plan.ts';
import type { WanServers } from './wans.ts';

/** `failed`: reason to roll back, or null. */
export interface NamesVerdict {
  failed: string | null;
  warnings: readonly string[];
}

export interface NamesCheck {
  wans: readonly PlanWan[];
  servers(): readonly WanServers[];
  hasCarrier(device: string): boolean;
  /** Null for an IP address; then any answer counts. */
  name: string | null;
  within: number;
  signal: AbortSignal;
  ask?: AskServer;
  pause?: number;
}

export function touchedWans(before: Plan, after: Plan): PlanWan[] {
  const sides = (plan: Plan, device: string) => [
    plan.lines.find((wan) => wan.device === device),
    plan.links.find((link) => link.device === device),
    plan.addresses.filter((address) => address.device === device),
    plan.dhcpClients.find((client) => client.device === device),
  ];
  return after.lines.filter(({ device }) => !isDeepStrictEqual(sides(before, device), sides(after, device)));
}

/** Milliseconds. */
const answerWait = 15_000;

/**
 * Resolves the console's name at each DNS server over its own WAN, until each WAN has a working one. Skips WANs without
 * cable, lease or servers: the provider may connect them later. Needs settled leases.
 */
export async function checkNames(check: NamesCheck): Promise<NamesVerdict> {
  const { wans, servers, hasCarrier, name, signal, ask = askServer, pause = 500 } = check;
  const began = performance.now();
  for (;;) {
    const elapsed = performance.now() - began;
    const judged = wans.filter(({ device }) => hasCarrier(device));
    const known = servers().filter(({ wan }) => judged.some((uplink) => uplink.name === wan));
    const results = await Promise.all(known.map((wan) => askAll(wan, name, ask)));
    const bad = results.filter(({ answers }) => answers.length > 0 && !answers.some(({ fine }) => fine));
    if (bad.length === 0 || elapsed >= Math.min(answerWait, check.within)) return verdictOf(bad, results);
    if (signal.aborted) return { failed: 'stopped', warnings: [] };
    await new Promise((turn) => setTimeout(turn, pause));
  }
}

interface WanResult {
  wan: string;
  answers: readonly { server: string; fine: boolean; answer: DnsAnswer }[];
}

async function askAll({ wan, from, servers }: WanServers, name: string | null, ask: AskServer): Promise<WanResult> {
  const answers = servers.map(async (server) => {
    const answer = await ask({ address: server, from }, name);
    return { server, answer, fine: rankOf(answer) >= (name === null ? 1 : 2) };
  });
  return { wan, answers: await Promise.all(answers) };
}

function verdictOf(bad: readonly WanResult[], results: readonly WanResult[]): NamesVerdict {
  const reasons = bad.flatMap(describeBad);
  if (reasons.length > 0) return { failed: reasons.join('; '), warnings: [] };
  return { failed: null, warnings: results.flatMap(describeBad) };
}

function describeBad({ wan, answers }: WanResult): string[] {
  return answers.flatMap(({ server, fine, answer }) => {
    if (fine) return [];
    const word = rankOf(answer) === 0 || 'addresses' in answer ? 'does not answer' : `answers ${answer.code}`;
    return [`the DNS server ${server} of ${wan} ${word}`];
  });
}
