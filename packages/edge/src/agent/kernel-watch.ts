import type { Clock } from '../clock.ts';
import { type Kept, keepRunning, LineReader } from '../measure/tools.ts';

/** Milliseconds; combines changes. */
const settleTime = 250;

export function isLoss(line: string): boolean {
  if (line.startsWith('Deleted ')) return true;
  const flags = /^\d+: \S+ <([^>]*)>/.exec(line)?.[1];
  return flags !== undefined && !flags.split(',').includes('UP');
}

/**
 * Calls `look` soon after the kernel lost an IPv4 address, route or rule, or a device went down: ending DHCP clients
 * flush interfaces, systemd-networkd removes foreign routes.
 */
export function watchKernel(clock: Clock, look: () => Promise<void>): Kept {
  let waiting = false;
  const lines = new LineReader((line) => {
    if (waiting || !isLoss(line)) return;
    waiting = true;
    clock.after(settleTime, () => {
      waiting = false;
      void look();
    });
  });
  return keepRunning({
    clock,
    file: 'ip',
    args: ['-4', 'monitor', 'link', 'address', 'route', 'rule'],
    output(part, first) {
      if (first) lines.reset();
      lines.push(part.toString('latin1'));
    },
  });
}
