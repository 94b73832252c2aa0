import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { PlanDnsmasq } from '../render/plan.ts';
import { dnsmasqFile } from './entries.ts';
import { runningPid } from './executor.ts';

/**
 * Our dnsmasq goes on while the agent is away, and writes what it is asked. Nobody reads it then, and it would fill `/run`:
 * its log leads nowhere until the agent is back. dnsmasq opens its log anew at SIGUSR2.
 */
export function muteResolver(dnsmasq: PlanDnsmasq | null, run: string): void {
  if (dnsmasq === null) return;
  try {
    rmSync(dnsmasq.queries, { force: true });
    symlinkSync('/dev/null', dnsmasq.queries);
  } catch {
    // a folder that is gone has no log that grows
    return;
  }
  openAnew(dnsmasq, run);
}

/** The agent is there: the log is a file again, and an empty one, whatever a flood made of it while nobody read. */
export function hearResolver(dnsmasq: PlanDnsmasq | null, run: string): void {
  if (dnsmasq === null) return;
  if (runningPid(dnsmasq.pid, dnsmasqFile(run)) === null) {
    rmSync(dnsmasq.queries, { force: true });
    return;
  }
  try {
    const fresh = `${dnsmasq.queries}.new`;
    writeFileSync(fresh, '', { mode: 0o600 });
    // started as root it has become somebody else, who may write here and nothing more
    if (process.getuid?.() === 0) chmodSync(fresh, 0o622);
    renameSync(fresh, dnsmasq.queries);
  } catch {
    // it goes on as it was: names are missing from what is counted
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
    // it ended just now: its next start opens what is there
  }
}
