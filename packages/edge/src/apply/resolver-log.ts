import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { PlanDnsmasq } from '../render/plan.ts';
import { dnsmasqFile } from './entries.ts';
import { runningPid } from './executor.ts';

/**
 * Redirects dnsmasq's query log to /dev/null while the agent is stopped; otherwise it would fill `/run`. dnsmasq
 * reopens its log on SIGUSR2.
 */
export function muteResolver(dnsmasq: PlanDnsmasq | null, run: string): void {
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

/** Replaces the query log by an empty file, so that entries from the agent's absence are dropped. */
export function hearResolver(dnsmasq: PlanDnsmasq | null, run: string): void {
  if (dnsmasq === null) return;
  if (runningPid(dnsmasq.pid, dnsmasqFile(run)) === null) {
    rmSync(dnsmasq.queries, { force: true });
    return;
  }
  try {
    const fresh = `${dnsmasq.queries}.new`;
    writeFileSync(fresh, '', { mode: 0o600 });
    // dnsmasq drops root; its user may only write this file
    if (process.getuid?.() === 0) chmodSync(fresh, 0o622);
    renameSync(fresh, dnsmasq.queries);
  } catch {
    // the log stays off: flow accounting lacks DNS names
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
    // it just exited; its next start opens the new file
  }
}
