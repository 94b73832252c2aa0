import { asNumber, asRecord, commandTimeouts, isControllerMethod } from '@yunxun/contract/device';
import type { CommandResult } from './channel.ts';
import { CommandError } from './command-error.ts';
import type { DeviceSession } from './device-session.ts';
import type { SessionContext } from './session-context.ts';
import { radiusSubject, rpcSubject } from './subjects.ts';

export interface RpcRequest {
  method: string;
  params: Record<string, unknown>;
  /** Defaults to the method's limit. */
  timeoutMs?: number;
  /** `telemetry` only, which devices do not stop. */
  stopAfterMs?: number;
}

export function answerCommands(context: SessionContext, session: DeviceSession): () => void {
  let stopper: NodeJS.Timeout | null = null;

  const release = context.bus.respond(rpcSubject(session.device), async (message) => {
    const request = asRecord<RpcRequest>(message);
    const method = String(request.method);
    const params = asRecord(request.params);
    const own = isControllerMethod(method) ? commandTimeouts[method] : undefined;
    const timeoutMs = asNumber(request.timeoutMs) ?? own ?? 0;
    const result = await measured(context, method, () => session.channel.call(method, params, timeoutMs));
    if (method === 'telemetry') {
      if (stopper) clearTimeout(stopper);
      stopper = stopLater(session, params, asNumber(request.stopAfterMs));
    }
    return result;
  });
  const releaseRadius = context.bus.respond(radiusSubject(session.device), async (message) => {
    const { data, timeoutMs } = asRecord<{ data: string; timeoutMs: number }>(message);
    return session.radius.request(String(data), asNumber(timeoutMs) ?? 0);
  });
  return () => {
    release();
    releaseRadius();
    if (stopper) clearTimeout(stopper);
  };
}

/** Stops telemetry, which devices send forever. */
function stopLater(
  session: DeviceSession,
  params: Readonly<Record<string, unknown>>,
  afterMs: number | null,
): NodeJS.Timeout | null {
  if (!(Number(params.interval) > 0) || afterMs === null) return null;
  const timer = setTimeout(() => {
    const stop = { interval: 0, types: params.types ?? [] };
    // nothing to stop if the device is gone
    session.channel.call('telemetry', stop, commandTimeouts.telemetry).catch(() => undefined);
  }, afterMs);
  timer.unref();
  return timer;
}

async function measured(
  context: SessionContext,
  method: string,
  work: () => Promise<CommandResult>,
): Promise<CommandResult> {
  const { commands, commandSeconds } = context.metrics;
  const label = isControllerMethod(method) ? method : 'unknown';
  const stop = commandSeconds.startTimer();
  try {
    const result = await work();
    commands.inc({ method: label, outcome: 'answered' });
    return result;
  } catch (error) {
    commands.inc({ method: label, outcome: error instanceof CommandError ? error.code : 'failed' });
    throw error;
  } finally {
    stop();
  }
}
