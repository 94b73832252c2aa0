import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { captiveForms, edgeCaptiveLimits } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import { addressKey } from '../../platform/http/address.ts';

export interface RelayLimitOptions {
  clock: Clock;
  trustedProxies: readonly string[];
  /** Open connections; an agent opens 500 at most, and some share an address. */
  maxPerGateway?: number;
}

const maxLines = 200_000;
const maxLinesPerGateway = 20_000;
/** Gateways' clocks may be late as well as early. */
const keptMs = 2 * edgeCaptiveLimits.relayAge * 1000;

/**
 * Counts each gateway's relayed connections, and each line once. Lines are kept in memory: behind a balancer, a
 * listener could use one once in each other process, within five minutes.
 */
export function createRelayLimits({ clock, trustedProxies, maxPerGateway = 1000 }: RelayLimitOptions) {
  // as the servers read the setting
  const isProxy = compile([...trustedProxies]);
  const open = new Map<string, number>();
  const linesOf = new Map<string, number>();
  const seen = new Map<string, { gateway: string | null; untilMs: number }>();

  function forget(nowMs: number): void {
    for (const [nonce, { gateway, untilMs }] of seen) {
      if (untilMs > nowMs) break;
      seen.delete(nonce);
      if (gateway !== null) add(linesOf, gateway, -1);
    }
  }

  /** Null: a trusted proxy, which many may use. */
  function gatewayOf({ remoteAddress: address = '' }: Socket): string | null {
    return isProxy(address, 0) ? null : addressKey(address);
  }

  return {
    /** Returns false for one connection too many. */
    enter(socket: Socket): boolean {
      const gateway = gatewayOf(socket);
      if (gateway === null) return true;
      if ((open.get(gateway) ?? 0) >= maxPerGateway) return false;
      add(open, gateway, 1);
      socket.once('close', () => add(open, gateway, -1));
      return true;
    },

    /** Returns false for a line that was used or is old, and while too many are kept. */
    take(line: string, socket: Socket): boolean {
      const nowMs = clock.now().getTime();
      const [, , , at, name] = captiveForms.relay.exec(line) ?? [];
      if (name === undefined || Math.abs(nowMs / 1000 - Number(at)) > edgeCaptiveLimits.relayAge) return false;
      forget(nowMs);
      const gateway = gatewayOf(socket);
      // not a part of the line, which it would keep in memory
      const nonce = Buffer.from(name, 'base64url').toString('latin1');
      if (seen.has(nonce) || seen.size >= maxLines) return false;
      if (gateway !== null && (linesOf.get(gateway) ?? 0) >= maxLinesPerGateway) return false;
      seen.set(nonce, { gateway, untilMs: nowMs + keptMs });
      if (gateway !== null) add(linesOf, gateway, 1);
      return true;
    },
  };
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
