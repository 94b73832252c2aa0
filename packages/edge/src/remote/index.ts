import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  asCount,
  asText,
  type EdgeRemoteAbility,
  type EdgeRemoteParams,
  remoteErrors,
  remoteForms,
  remoteLimits,
} from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import type { ActionResult } from '../system.ts';
import { type DialOptions, dial } from './dial.ts';
import { type ServeOptions, serveRelay } from './serve.ts';

export { refusal } from './file-action.ts';
export { answerLine, type FileAction, FileRefused, type FileRequest } from './file-request.ts';
export { TargetRefused } from './target.ts';

export interface RemoteOptions extends Pick<ServeOptions, 'openTerminal' | 'connect'> {
  clock: Clock;
  identity(): DialOptions['identity'];
  lookup?: LookupFunction | undefined;
  checkHost?: boolean;
  /** Whether the owner of the host allows it. */
  allowed(): boolean;
  /** Why there is no shell; null if there is one. */
  noShell(): string | null;
  log(line: string): void;
}

export interface Remote {
  /** Null: not allowed. */
  ability(): EdgeRemoteAbility | null;
  command(params: Readonly<Record<string, unknown>>): Promise<ActionResult>;
  /** Ends all sessions; resolves when nothing of them is left. */
  close(): Promise<void>;
}

interface Session {
  ending: AbortController;
  socket: TLSSocket | null;
  done: Promise<void>;
}

export function createRemote(options: RemoteOptions): Remote {
  const { clock, allowed, noShell, log } = options;
  const sessions = new Map<string, Session>();

  function end({ ending, socket }: Session): void {
    ending.abort();
    socket?.destroy();
  }

  async function open(request: EdgeRemoteParams): Promise<ActionResult> {
    const session: Session = { ending: new AbortController(), socket: null, done: Promise.resolve() };
    sessions.set(request.session, session);
    try {
      session.socket = await dial({
        identity: options.identity(),
        request,
        lookup: options.lookup,
        checkHost: options.checkHost,
        signal: session.ending.signal,
      });
    } catch (error) {
      sessions.delete(request.session);
      return { error: remoteErrors.failed, text: error instanceof Error ? error.message : String(error) };
    }
    log(`remote session ${request.session} begins`);
    const overdue = clock.after(request.seconds * 1000, () => end(session));
    session.done = serveRelay(session.socket, options)
      .catch((error: unknown) => log(`remote session ${request.session}: ${String(error)}`))
      .finally(() => {
        overdue();
        session.socket?.destroy();
        sessions.delete(request.session);
        log(`remote session ${request.session} ended`);
      });
    return { error: 0, text: 'Success' };
  }

  return {
    ability() {
      if (!allowed()) return null;
      const reason = noShell();
      return reason === null ? { shell: true } : { shell: false, reason };
    },
    async command(params) {
      if (!allowed()) {
        const text = 'the owner of this gateway does not allow remote access (options.json)';
        return { error: remoteErrors.refused, text };
      }
      const request = readRequest(params);
      if (request === null) return { error: 2, text: 'invalid parameters' };
      if (sessions.has(request.session)) return { error: remoteErrors.failed, text: 'the session is open already' };
      if (sessions.size >= remoteLimits.perDevice) return { error: remoteErrors.failed, text: 'too many sessions' };
      return open(request);
    },
    async close() {
      const open = [...sessions.values()];
      for (const session of open) end(session);
      await Promise.all(open.map(({ done }) => done));
    },
  };
}

function readRequest(params: Readonly<Record<string, unknown>>): EdgeRemoteParams | null {
  const { session, token, server } = remoteForms;
  const id = asText(params.session, 64);
  const secret = asText(params.token, 64);
  const host = asText(params.server, 255);
  const port = asCount(params.port) ?? 0;
  const seconds = asCount(params.seconds) ?? 0;
  if (id === null || secret === null || host === null) return null;
  if (!session.test(id) || !token.test(secret) || !server.test(host)) return null;
  if (port < 1 || port > 65_535 || seconds < 1) return null;
  const left = Math.min(seconds, remoteLimits.hard / 1000);
  return { tool: 'remote', session: id, token: secret, server: host, port, seconds: left };
}
