import { isDeepStrictEqual } from 'node:util';
import type { ToolResult } from '../apply/step.ts';
import { type GuestRates, limitsIn, noRates, rateChange, ratesTable, wantedLimits } from '../render/captive-rates.ts';

export interface RatesOptions {
  able: boolean;
  run(argv: readonly [string, ...string[]], options?: { input?: string }): Promise<ToolResult>;
}

/** Keeps the kernel's rate limits equal to the grants. Throws if the kernel refuses. */
export function createRates({ able, run }: RatesOptions) {
  /** Devices of the table; null: no table. */
  let laidOn: readonly string[] | null = null;

  async function nft(input: string): Promise<void> {
    const { code, stderr } = await run(['nft', '-f', '-'], { input });
    if (code !== 0) throw new Error(`nft: ${stderr.trim()}`);
  }

  async function present(): Promise<string[]> {
    const { code, stdout } = await run(['nft', '-j', 'list', 'table', 'netdev', 'yunxun_captive']);
    if (code !== 0) return [];
    try {
      return limitsIn(JSON.parse(stdout));
    } catch {
      return [];
    }
  }

  async function align(devices: readonly string[], guests: readonly GuestRates[]): Promise<void> {
    if (!able) return;
    const text = ratesTable(devices, guests);
    laidOn = null;
    if (!isDeepStrictEqual(await present(), wantedLimits(devices, guests))) await nft(text === '' ? noRates : text);
    laidOn = text === '' ? null : devices;
  }

  return {
    align,
    /** `guests`: all, the changed one too. */
    async change(devices: readonly string[], guests: readonly GuestRates[], changed: GuestRates): Promise<void> {
      if (!able) return;
      if (laidOn === null || !isDeepStrictEqual(laidOn, devices)) await align(devices, guests);
      else await nft(rateChange(changed));
    },
  };
}
