import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, asText, type ConnectReason } from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import { runTool } from '../apply/executor.ts';
import type { Places } from './places.ts';

/** Reboots as root, else writes the file of a root path unit. */
export async function rebootHost(places: Places, log: (line: string) => void): Promise<void> {
  log('the box restarts');
  if (process.getuid?.() !== 0) {
    writeFileSync(join(places.run, 'reboot'), '');
    return;
  }
  const { code } = await runTool(['systemctl', 'reboot']);
  if (code !== 0) await runTool(['reboot']);
}

const upgradeWaker = '/etc/systemd/system/yunxun-edge-upgrade.path';
/** Milliseconds until the agent exits without root. */
export const rootTimeout = 60_000;

/** Asks root to restart the agent with new units. @returns false if this host has no such unit */
export function askRootToUpgrade(places: Places, attempt: (write: () => void) => boolean): boolean {
  if (process.getuid?.() === 0 || !existsSync(upgradeWaker)) return false;
  attempt(() => writeFileSync(join(places.run, 'upgrade'), ''));
  return true;
}

/** Returns why the agent starts, and deletes the note of it. */
export function takeCause(places: Places, boot: string, attempt: (write: () => void) => boolean): ConnectReason {
  const [causeFile, bootFile] = [join(places.state, 'cause.json'), join(places.state, 'boot.json')];
  const noted = asText(asRecord<{ cause: string }>(readJson(causeFile)).cause, 32);
  const known = asText(asRecord<{ boot: string }>(readJson(bootFile)).boot, 64);
  attempt(() => removeDurably(causeFile));
  if (known !== boot) attempt(() => writeDurably(bootFile, JSON.stringify({ boot })));
  if (noted !== null) return noted as ConnectReason;
  return known === boot ? 'socket' : 'coldboot';
}
