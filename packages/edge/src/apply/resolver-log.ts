import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { PlanDnsmasq } from '../render/plan.ts';
import { dnsmasqFile } from './entries.ts';
import { runningPid } from './executor.ts';

/**
 * Sends the query log to /dev/null while the agent is stopped: it would fill `/run`. dnsmasq reopens its log on
 * SIGUSR2.
 */
export function disableResolverLog(dnsmasq: PlanDnsmasq | null, run: string): void {
  if (dnsmasq === null) return;
  try {
    rmSync(dnsmasq.queries, { force: true });
    symlinkSync('/dev/null', dnsmasq.queries);
  } catch {
    // without the folder no log can grow
    return;
  }
  openAnew(dnsmasq, run);
}

/** Empties the query log, dropping entries of the agent's absence. */
export function enableResolverLog(dnsmasq: PlanDnsmasq | null, run: string): void {
  if (dnsmasq === null) return;
  if (runningPid(dnsmasq.pid, dnsmasqFile(run)) === null) {
    rmSync(dnsmasq.queries, { force: true });
    return;
  }
  try {
    const fresh = `${dnsmasq.queries}.new`;
    writeFileSync(fresh, '', { mode: 0o600 });
    // dnsmasq drops root and may only write this file
    if (process.getuid?.() === 0) chmodSync(fresh, 0o622);
    renameSync(fresh, dnsmasq.queries);
  } catch {
    // flow accounting then lacks DNS names
    return;
  }
  openAnew(dnsmasq, run);
}

function openAnew({ pid }: PlanDnsmasq, run: string): void {
  const running = runningPid(pid, dnsmasqFile(run));
  if (running === null) return;
  try {
    process.kill(running, 'SIGUSR2');
  } catch {
    // its next start opens the new file
  }
}
