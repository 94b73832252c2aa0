import {
  type RemoteHello,
  type RemoteInput,
  type RemoteOutput,
  type RemoteProof,
  remoteTerminalPath,
} from '@yunxun/contract/remote-terminal';
import { acting } from '../../app/acting.ts';
import { readToken } from '../../app/token.ts';

export interface LinkEvents {
  bytes(data: Uint8Array): void;
  spoken(output: RemoteOutput): void;
  lost(): void;
  refused(): void;
}

export interface TerminalLink {
  type(data: Uint8Array): void;
  say(input: RemoteInput): void;
  close(): void;
}

/** RFC 6455: the server does not take this page. */
const policyViolation = 1008;
const pieceBytes = 16 * 1024;
const delays = [500, 1000, 2000, 4000] as const;

export function bearerProof(): RemoteProof {
  const { elsewhere } = acting();
  return { token: readToken() ?? '', ...(elsewhere ? { account: elsewhere.account } : {}) };
}

export function openLink(id: string, hello: () => RemoteHello, events: LinkEvents): TerminalLink {
  let socket: WebSocket | null = null;
  let tries = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function join(): void {
    const page = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${remoteTerminalPath}?session=${id}`);
    socket = page;
    page.binaryType = 'arraybuffer';
    page.addEventListener('open', () => {
      page.send(JSON.stringify(hello()));
    });
    page.addEventListener('message', ({ data }) => {
      tries = 0;
      if (typeof data !== 'string') return void events.bytes(new Uint8Array(data as ArrayBuffer));
      const output = JSON.parse(data) as RemoteOutput;
      if (output.type === 'end' || output.type === 'replaced') isOver = true;
      events.spoken(output);
    });
    page.addEventListener('close', ({ code }) => {
      if (isOver || socket !== page) return;
      if (code === policyViolation) {
        isOver = true;
        return void events.refused();
      }
      events.lost();
      timer = setTimeout(join, delays[Math.min(tries, delays.length - 1)]);
      tries += 1;
    });
  }
  join();

  const send = (data: string | Uint8Array<ArrayBuffer>) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(data);
  };
  return {
    type(data) {
      for (let at = 0; at < data.length; at += pieceBytes) send(data.slice(at, at + pieceBytes));
    },
    say: (input) => send(JSON.stringify(input)),
    close() {
      isOver = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
