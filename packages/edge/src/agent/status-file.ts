import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asFlag, asNumber, asRecord, asText } from '@yunxun/contract/device';
import { readJson } from '../apply/durable.ts';
import type { Places } from './places.ts';

export interface AgentStatus {
  pid: number;
  version: string;
  online: boolean;
  problem: string | null;
  /** Why SD-WAN is impossible; null if possible. */
  sdwan: string | null;
}

export function readStatus(places: Places): AgentStatus | null {
  const read = asRecord<AgentStatus>(readJson(pathOf(places)));
  const pid = asNumber(read.pid);
  if (pid === null || !runsAgent(pid)) return null;
  return {
    pid,
    version: asText(read.version, 64) ?? '',
    online: asFlag(read.online) ?? false,
    problem: asText(read.problem, 1024),
    sdwan: asText(read.sdwan, 256),
  };
}

/** Checks the command line: pids are reused. */
function runsAgent(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('yunxun-edge');
  } catch {
    return false;
  }
}

export function writeStatus(places: Places, status: AgentStatus): void {
  const path = pathOf(places);
  writeFileSync(`${path}.new`, JSON.stringify(status));
  renameSync(`${path}.new`, path);
}

function pathOf(places: Places): string {
  return join(places.run, 'status.json');
}
