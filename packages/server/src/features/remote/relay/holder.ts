import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { asRecord, type RemoteSize, remoteLimits, remoteProtocols } from '@yunxun/contract/device';
import { type Bus, BusTimeout, NoResponder } from '../../../platform/bus/index.ts';
import type { Authority } from '../../../uplink/index.ts';
import { holderSubject } from '../subjects.ts';
import type { Grant } from './holding.ts';

/** `grant` null: a guest. A page of a terminal, one of its files, a way into a web session, or a connection with requests of its browser. */
export type HolderRequest =
  | { what: 'terminal'; grant: Grant | null; size: RemoteSize }
  | { what: 'files'; grant: Grant }
  | { what: 'enter'; grant: Grant | null }
  | { what: 'web' };

/** `ticket` opens one connection to the relay's port of that process. */
export interface HolderAnswer {
  host: string;
  port: number;
  ticket: string;
  /** Of `enter`. */
  address: string;
}

export interface HolderDeps {
  bus: Bus;
  authority: Pick<Authority, 'certificate' | 'serverNames'>;
}

const askWait = 3000;

/** @returns null while no process has the connection of the session's device */
export async function askHolder(bus: Bus, id: string, request: HolderRequest): Promise<Partial<HolderAnswer> | null> {
  try {
    return asRecord<HolderAnswer>(await bus.request(holderSubject(id), request, askWait)) as Partial<HolderAnswer>;
  } catch (error) {
    if (error instanceof NoResponder || error instanceof BusTimeout) return null;
    throw error;
  }
}

/** Opens a connection to the process that has the session. @returns null if none has */
export async function dialHolder(
  { bus, authority }: HolderDeps,
  id: string,
  request: HolderRequest,
): Promise<TLSSocket | null> {
  const answer = await askHolder(bus, id, request);
  if (answer?.ticket === undefined) return null;
  const { host = '', port = 0, ticket } = answer;
  const [name = ''] = authority.serverNames;
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ca: authority.certificate,
      // the certificate names the host that devices dial
      servername: isIP(name) === 0 ? name : '',
      checkServerIdentity: () => undefined,
      ALPNProtocols: [remoteProtocols.console],
      timeout: remoteLimits.connectWait,
    });
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      socket.write(`${ticket}\n`);
      resolve(socket);
    });
    socket.once('timeout', () => socket.destroy(new Error('no answer from the process that holds the session')));
    socket.once('error', reject);
  });
}
