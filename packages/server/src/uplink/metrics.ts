import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '../platform/metrics.ts';
import type { Capacity } from './flow.ts';
import type { HandshakeLimiter } from './handshake-limiter.ts';

/** Listed in the operator guide. */
export interface UplinkMetrics {
  sessions: Gauge;
  waiting: Gauge;
  turns: Gauge;
  messages: Counter<'method'>;
  dropped: Counter<'why'>;
  refused: Counter<'reason'>;
  deferred: Counter<'why'>;
  commands: Counter<'method' | 'outcome'>;
  commandSeconds: Histogram;
}

export function uplinkMetrics(registry: Metrics, capacity: Capacity, limiter: HandshakeLimiter): UplinkMetrics {
  const registers = [registry];
  return {
    sessions: new Gauge({ name: 'yunxun_device_sessions', help: 'Open device sessions of this process', registers }),
    waiting: new Gauge({
      name: 'yunxun_device_waiting_bytes',
      help: 'Bytes that devices sent and that are not handled or not committed yet',
      registers,
      collect() {
        this.set(capacity.taken);
      },
    }),
    turns: new Gauge({
      name: 'yunxun_device_turns_waiting',
      help: "Devices' connections and messages that wait for a database connection",
      registers,
      collect() {
        this.set(limiter.waiting);
      },
    }),
    messages: new Counter({
      name: 'yunxun_device_messages_total',
      help: 'Messages of devices by method',
      labelNames: ['method'],
      registers,
    }),
    dropped: new Counter({
      name: 'yunxun_device_frames_dropped_total',
      help: 'Frames of devices that led to nothing, by reason',
      labelNames: ['why'],
      registers,
    }),
    refused: new Counter({
      name: 'yunxun_device_refusals_total',
      help: 'Device connections refused, by reason',
      labelNames: ['reason'],
      registers,
    }),
    deferred: new Counter({
      name: 'yunxun_device_deferred_total',
      help: 'Device connections that were told to come later, by reason',
      labelNames: ['why'],
      registers,
    }),
    commands: new Counter({
      name: 'yunxun_device_commands_total',
      help: 'Commands to devices by method and outcome',
      labelNames: ['method', 'outcome'],
      registers,
    }),
    commandSeconds: new Histogram({
      name: 'yunxun_device_command_seconds',
      help: "Time from a command's arrival at the socket's holder to its answer",
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120],
      registers,
    }),
  };
}
