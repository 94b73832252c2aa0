import type { StateUnit } from '@yunxun/contract/device';
import type { Hardware } from '../box/hardware.ts';
import type { Random } from '../world/random.ts';

export function unitOf(
  hardware: Hardware,
  nowMs: number,
  bootedMs: number,
  stations: number,
  random: Random,
): StateUnit {
  const uptime = Math.max(0, Math.floor((nowMs - bootedMs) / 1000));
  const total = hardware.memoryBytes;
  const inUse = Math.min(0.86, 0.17 + stations * 0.0012 + (uptime / 86_400) * 0.0004 + random.between(0, 0.01));
  const cached = Math.round(total * 0.029);
  const buffered = Math.round(total * 0.01);
  const load = 0.02 + stations * 0.008 + random.between(0, 0.12);
  const cores = hardware.role === 'switch' ? 2 : 4;
  const cpu = Math.min(98, Math.round(4 + stations * 0.5 + random.between(0, 6)));
  return {
    localtime: Math.floor(nowMs / 1000),
    uptime,
    load: [load, load * 0.9, load * 0.8].map((value) => Math.round(value * 1e6) / 1e6),
    cpu_load: [cpu, ...Array.from({ length: cores }, () => Math.min(99, Math.max(0, cpu + random.whole(-3, 3))))],
    memory: { total, free: Math.round(total * (1 - inUse)) - cached - buffered, cached, buffered },
    temperature: [52 + random.whole(0, 4), 58 + random.whole(0, 4)],
  };
}
