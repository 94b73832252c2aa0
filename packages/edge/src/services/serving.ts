import type { Clock } from '../clock.ts';
import type { Plan, PlanService } from '../render/plan.ts';
import { planKeys } from '../render/plan.ts';
import { servedServices } from './index.ts';
import type { ServedService } from './service.ts';

export interface ServingOptions {
  host: { readonly plan: Pick<Plan, 'services'> };
  clock: Clock;
  isClockSet(): boolean;
  log(line: string): void;
  served?: typeof servedServices;
}

export interface Serving {
  settled(): void;
  stop(): void;
}

/** Milliseconds. */
const again = 5000;

export function createServing({ host, clock, isClockSet, log, served = servedServices }: ServingOptions): Serving {
  const running = new Map<string, { close(): void }>();
  const failures = new Map<string, string>();
  let stopped = false;

  function start(wanted: PlanService): void {
    const { service, address, port } = wanted;
    const key = planKeys.services(wanted);
    const failed = ({ message }: Error) => {
      if (running.get(key) !== own) return;
      own.close();
      running.delete(key);
      // another server of the host may have the port for good
      if (failures.get(key) !== message) log(`${service}: ${message}`);
      failures.set(key, message);
      clock.after(again, settled);
    };
    const { serve }: ServedService = served[service];
    const own = serve({ address, port, clock, isClockSet, failed });
    running.set(key, own);
  }

  function settled(): void {
    const wanted = new Map((stopped ? [] : host.plan.services).map((one) => [planKeys.services(one), one]));
    for (const [key, own] of running) {
      if (wanted.has(key)) continue;
      own.close();
      running.delete(key);
    }
    for (const key of failures.keys()) if (!wanted.has(key)) failures.delete(key);
    for (const [key, one] of wanted) if (!running.has(key)) start(one);
  }

  return {
    settled,
    stop() {
      stopped = true;
      settled();
    },
  };
}
