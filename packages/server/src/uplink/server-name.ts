import type { IncomingMessage } from 'node:http';

/** TLS has none for an IP address. */
export interface DialledName {
  sni: string | null;
  /** Without port. */
  host: string | null;
}

const longest = 255;

export function sniOf(socket: { servername?: string | false | null | undefined }): string | null {
  return socket.servername ? socket.servername.slice(0, longest) : null;
}

export function hostOf(request: Pick<IncomingMessage, 'headers'>): string | null {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').slice(0, longest);
  return host === '' ? null : host;
}

/** Compares like the access-point client: exact, or any depth below `*.`. */
export function coversName(names: readonly string[], dialled: string): boolean {
  return names.some((name) => name === dialled || (name.startsWith('*.') && dialled.endsWith(name.slice(1))));
}

/** Returns false if the device named none. */
export function isWrongName(names: readonly string[], { sni, host }: DialledName): boolean {
  // the client puts its configured name into both
  const dialled = sni ?? host;
  return dialled !== null && !coversName(names, dialled);
}
