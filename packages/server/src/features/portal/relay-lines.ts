import type { Socket } from 'node:net';
import { captiveForms, edgeCaptiveLimits } from '@yunxun/contract/device';

/** Per network; the oldest are forgotten. */
const maxLines = 20_000;
/** Gateways' clocks may be late as well as early. */
const keptMs = 2 * edgeCaptiveLimits.relayAge * 1000;

/**
 * Takes each signed line once. Behind a balancer, a listener could use one once in each other process, within five
 * minutes.
 */
export function createRelayLines() {
  const lines = new Map<string, Map<string, number>>();
  const holders = new WeakMap<Socket, string>();

  return {
    /** Takes a line with a right signature; returns false if another connection used it. */
    take(gwid: string, line: string, socket: Socket, now: Date): boolean {
      if (holders.get(socket) === line) return true;
      const name = captiveForms.relay.exec(line)?.[4] ?? '';
      // not a part of the line, which it would keep in memory
      const nonce = Buffer.from(name, 'base64url').toString('latin1');
      const seen = lines.get(gwid) ?? new Map<string, number>();
      for (const [old, until] of seen) {
        if (until > now.getTime() && seen.size < maxLines) break;
        seen.delete(old);
      }
      if (seen.has(nonce)) return false;
      lines.set(gwid, seen.set(nonce, now.getTime() + keptMs));
      holders.set(socket, line);
      return true;
    },
  };
}

export type RelayLines = ReturnType<typeof createRelayLines>;
