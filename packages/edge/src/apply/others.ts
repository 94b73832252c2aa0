import { asList, asRecord, asText } from '@yunxun/contract/device';
import { quote } from '../document/errors.ts';
import { runTool } from './executor.ts';
import type { Ask } from './snapshot.ts';

const stopped = {
  forward: 'what goes from networks to the internet may not pass',
  input: 'DHCP and DNS may not reach this gateway',
} as const;
/** The agent configures IPv4 only. */
const families: ReadonlySet<unknown> = new Set(['ip', 'inet']);
const ours = 'yunxun';
const max = 8;

/**
 * Warns of each foreign chain with policy drop in `nft -j list chains`: our accept does not override it, and only its
 * owner may change it.
 */
export function closedChains(listed: unknown): string[] {
  const { nftables } = asRecord<{ nftables: unknown }>(listed);
  return asList(nftables)
    .flatMap((entry) => {
      const chain = asRecord<Record<'family' | 'table' | 'name' | 'hook' | 'policy', unknown>>(
        asRecord<{ chain: unknown }>(entry).chain,
      );
      const hook = chain.hook === 'forward' || chain.hook === 'input' ? chain.hook : null;
      if (hook === null || chain.policy !== 'drop' || !families.has(chain.family)) return [];
      if (chain.family === 'inet' && chain.table === ours) return [];
      const [name, table] = [chain.name, chain.table].map((word) => quote(asText(word, 128) ?? ''));
      return [
        `[W] (In /) a firewall of others on this gateway drops what its own rules do not allow (chain ${name} of ` +
          `${chain.family === 'ip' ? 'ip' : 'inet'} ${table}, hook ${hook}): ${stopped[hook]}`,
      ];
    })
    .slice(0, max);
}

export async function otherFirewalls(ask: Ask = runTool): Promise<readonly string[]> {
  const { stdout } = await ask(['nft', '-j', 'list', 'chains']);
  try {
    return closedChains(JSON.parse(stdout));
  } catch {
    return [];
  }
}
