import { asNumber, asRecord, commandTimeouts, isControllerMethod } from '@yunxun/contract/device';
import type { CommandResult } from './channel.ts';
import { CommandError } from './command-error.ts';
import type { Session } from './session.ts';
import type { SessionContext } from './session-context.ts';
import { rpcSubject } from './subjects.ts';

/** A command on its way to the holder of the socket. */
export interface RpcRequest {
  method: string;
  params: Record<string, unknown>;
  /** How long the caller waits, from now; the method's own limit when it is missing. */
  timeoutMs?: number;
  /** `telemetry` only: stop it after so long, since devices do not. */
  stopAfterMs?: number;
}

/** Answers `dev.<account>.<serial>.rpc` while the session lives; the returned function stops it. */
export function answerCommands(context: SessionContext, session: Session): () => void {
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
  return () => {
    release();
    if (stopper) clearTimeout(stopper);
  };
}

/** The device goes on for ever once telemetry is asked for: the controller stops it (device-protocol.md 1.5). */
function stopLater(
  session: Session,
  params: Readonly<Record<string, unknown>>,
  afterMs: number | null,
): NodeJS.Timeout | null {
  if (!(Number(params.interval) > 0) || afterMs === null) return null;
  const timer = setTimeout(() => {
    const stop = { interval: 0, types: params.types ?? [] };
    // a device that has gone, or does not answer, has nothing left to stop
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
