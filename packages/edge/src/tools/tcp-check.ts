import { type EdgeTcpCheck, edgeCheckLimits } from '@yunxun/contract/device';
import { CheckFailed, wordOf } from './check-errors.ts';
import type { Resolve } from './check-target.ts';
import { tryConnect } from './tcp-ping.ts';

export async function tcpCheck(
  { target, port, from }: { target: string; port: number; from: string | null },
  resolve: Resolve,
): Promise<EdgeTcpCheck> {
  try {
    const { address, isLan } = await resolve(target);
    const source = isLan ? null : from;
    const result = await tryConnect(address, port, { from: source, wait: edgeCheckLimits.connectMs });
    return typeof result === 'number'
      ? { address, ms: round(result), error: null }
      : { address, ms: null, error: wordOf({ code: result }) };
  } catch (error) {
    return { address: error instanceof CheckFailed ? error.address : null, ms: null, error: wordOf(error) };
  }
}

export const round = (ms: number) => Math.round(ms * 10) / 10;
