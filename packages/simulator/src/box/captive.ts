import { type EdgeCaptiveGuest, openingAt } from '@yunxun/contract/device';
import { type ActionResult, type Plan, readCaptiveCommand, readPayPass } from '@yunxun/edge';
import type { Traffic } from '../world/bss.ts';

type Captured = NonNullable<Plan['captive']>;

interface Grant {
  ticket: string;
  /** Unix milliseconds; null: no limit. */
  untilMs: number | null;
  upKbps: number;
  downKbps: number;
  before: Traffic;
}

const awayAfterMs = 60_000;

const none = { down: 0, up: 0 } as const;

/** Simulates the agent's nftables. Outlives boots. */
export class SimulatedCaptive {
  readonly #grants = new Map<string, Grant>();
  #awaySinceMs: number | null = null;

  console(online: boolean, nowMs: number): void {
    this.#awaySinceMs = online ? null : (this.#awaySinceMs ?? nowMs);
  }

  order(
    params: Readonly<Record<string, unknown>>,
    plan: Captured | undefined,
    bytes: Traffic,
    nowMs: number,
  ): ActionResult {
    if (params.op === 'pass') {
      if (readPayPass(params) === null) return { error: 2, text: 'invalid parameters' };
      return plan?.pay ? { error: 0, text: 'Success' } : { error: 1, text: 'no host is open for payments' };
    }
    const request = readCaptiveCommand(params);
    if (request === null) return { error: 2, text: 'invalid parameters' };
    const { op, ticket, mac, time, upKbps, downKbps } = request;
    const own = this.#grants.get(mac);
    if (op === 'revoke') {
      if (own?.ticket === ticket) this.#grants.delete(mac);
    } else if (plan === undefined) return { error: 1, text: 'no network is captive' };
    else {
      const untilMs = time === null ? null : nowMs + time * 1000;
      const before = own?.ticket === ticket ? own.before : bytes;
      this.#grants.set(mac, { ticket, untilMs, upKbps, downKbps, before });
    }
    return { error: 0, text: 'Success' };
  }

  holds(mac: string, nowMs: number): boolean {
    const own = this.#grants.get(mac);
    return own !== undefined && (own.untilMs === null || own.untilMs > nowMs);
  }

  pass(mac: string, plan: Captured, asked: Traffic, seconds: number, nowMs: number): Traffic {
    const own = this.#grants.get(mac);
    if (own === undefined || !this.holds(mac, nowMs)) return this.#isOpen(plan, nowMs) ? asked : none;
    const limited = (bytes: number, kbps: number) => (kbps > 0 ? Math.min(bytes, kbps * 125 * seconds) : bytes);
    return { down: limited(asked.down, own.downKbps), up: limited(asked.up, own.upKbps) };
  }

  guests(bytesOf: (mac: string) => Traffic, nowMs: number): EdgeCaptiveGuest[] {
    for (const mac of this.#grants.keys()) if (!this.holds(mac, nowMs)) this.#grants.delete(mac);
    return [...this.#grants].map(([mac, { ticket, untilMs, before }]) => {
      const { down, up } = bytesOf(mac);
      const until = untilMs === null ? null : Math.floor(untilMs / 1000);
      return { ticket, mac, until, rx_bytes: Math.max(0, up - before.up), tx_bytes: Math.max(0, down - before.down) };
    });
  }

  #isOpen({ away }: Captured, nowMs: number): boolean {
    const since = this.#awaySinceMs;
    return away !== undefined && since !== null && nowMs - since >= awayAfterMs
      ? openingAt(away.hours, away.zone, nowMs).open
      : false;
  }
}
