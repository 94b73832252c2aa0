import { asList, asRecord, asText } from '@yunxun/contract/device';
import type { ToolResult } from './step.ts';

type Run = (argv: readonly [program: string, ...args: string[]]) => Promise<ToolResult>;

/**
 * Sets a MAC unless present; a VLAN that inherits it would follow its port's next change. Many drivers reject it while
 * the device is up (EBUSY): it goes down and up and loses its routes, which later steps add. Returns the tool's error,
 * or null.
 */
export async function setMac(device: string, mac: string, run: Run, inherits = false): Promise<string | null> {
  const shown = await run(['ip', '-j', 'link', 'show', 'dev', device]);
  if (shown.code !== 0) return toolError(shown);
  if (!inherits && macIn(shown.stdout) === mac) return null;
  const set = ['ip', 'link', 'set', 'dev', device, 'address', mac] as const;
  const live = await run(set);
  if (live.code === 0) return null;
  if (!/busy/i.test(live.stderr)) return toolError(live);
  const down = await run(['ip', 'link', 'set', 'dev', device, 'down']);
  if (down.code !== 0) return toolError(down);
  const still = await run(set);
  // up again even if the change failed
  const up = await run(['ip', 'link', 'set', 'dev', device, 'up']);
  return still.code !== 0 ? toolError(still) : up.code !== 0 ? toolError(up) : null;
}

function macIn(text: string): string | null {
  try {
    const [link] = asList(JSON.parse(text));
    return asText(asRecord<{ address: string }>(link).address, 17)?.toLowerCase() ?? null;
  } catch {
    return null;
  }
}

function toolError({ stderr, code }: ToolResult): string {
  return stderr.trim() || `exit code ${code}`;
}
