import { deviceHealth, deviceLevels } from '../../../telemetry/read/alarm-levels.ts';
import { type AlarmSource, collector, type Observation } from '../source.ts';

const averaged = ['memory_high', 'channel_busy', 'temperature_high', 'load_high'] as const;

export const levelSource: AlarmSource<'health_low' | (typeof averaged)[number]> = {
  kinds: {
    health_low: null,
    memory_high: { level: 'memory' },
    channel_busy: { level: 'busy' },
    temperature_high: { level: 'temperature' },
    load_high: { level: 'load' },
  },
  async read(tx, { now, limit, tracked }) {
    const found: Observation[] = [];
    const { measured } = collector(found);
    for (const { health, ...ref } of await deviceHealth(tx, now, limit('health_low'), tracked('health_low')))
      measured('health_low', ref, health);
    const limits = {
      memory: limit('memory_high'),
      busy: limit('channel_busy'),
      temperature: limit('temperature_high'),
      load: limit('load_high'),
    };
    for (const { memory, busy, temperature, load, ...ref } of await deviceLevels(
      tx,
      now,
      limits,
      averaged.flatMap(tracked),
    )) {
      measured('memory_high', ref, memory);
      measured('channel_busy', ref, busy);
      measured('temperature_high', ref, temperature);
      measured('load_high', ref, load);
    }
    return found;
  },
};
