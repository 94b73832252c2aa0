import type { HealthInterface, StateUnit } from '@yunxun/contract/device';
import type { HealthReport } from '../system.ts';
import type { OwnAddress } from './kernel.ts';
import type { Layout } from './layout.ts';
import type { WanStatus } from './prober.ts';

/** Percent. */
const maxMemory = 90;

export function healthOf(seen: {
  layout: Layout;
  addresses: readonly OwnAddress[];
  lines: readonly WanStatus[];
  memory: StateUnit['memory'] | null;
}): HealthReport {
  let checks = 0;
  let failed = 0;
  const check = (fine: boolean) => {
    checks += 1;
    if (!fine) failed += 1;
    return fine;
  };
  const { memory } = seen;
  const used = memory?.total
    ? Math.round(
        ((memory.total - (memory.free ?? 0) - (memory.cached ?? 0) - (memory.buffered ?? 0)) / memory.total) * 100,
      )
    : null;
  const roomy = used === null || check(used <= maxMemory);
  const interfaces: Record<string, HealthInterface> = {};
  for (const { name, location, role, device } of seen.layout.interfaces) {
    if (role !== 'upstream') continue;
    const addressed = check(seen.addresses.some((own) => own.device === device && !own.address.includes(':')));
    const wan = seen.lines.find((one) => one.interface === name);
    const alive = wan?.alive === undefined || wan.alive === null || check(wan.alive);
    if (addressed && alive) continue;
    interfaces[name] = {
      location,
      ...(addressed ? {} : { dhcp: false }),
      ...(alive ? {} : { warning: ['its probes are not answered'] }),
    };
  }
  return {
    sanity: checks === 0 ? 100 : Math.round(100 - (failed / checks) * 100),
    data: {
      ...(roomy ? {} : { unit: { memory: used } }),
      ...(Object.keys(interfaces).length === 0 ? {} : { interfaces }),
    },
  };
}
