import { createPublicKey, X509Certificate } from 'node:crypto';
import { asText, edgeCertificateMethod, edgeRenewMethod } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import type { Identity } from '../enrol.ts';
import { certificateRequest, createKey } from '../identity.ts';
import type { PinnedIdentity } from './identity-file.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What renewing needs. */
export interface RenewalOptions {
  identity: PinnedIdentity;
  clock: Clock;
  /** On disk when it returns; throws when it cannot be. */
  keep(identity: PinnedIdentity): void;
  /** Says something to the console; false without a session. */
  send(method: string, params: Record<string, unknown>): boolean;
  /** From the next connection on this certificate is shown. */
  show(identity: Identity): void;
  /** Gives the session up for a new one. */
  reconnect(): void;
  log(line: string): void;
}

/**
 * The certificate of the box rotates: in the last third of its life, or when the console asks, a new key is made here and
 * a request for it goes to the console over the session. What comes back is kept beside the old one, tried by a new
 * connection, and takes its place once that has been online. Until then either works, whatever ends the agent in between.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  #identity: PinnedIdentity;
  #showsNext: boolean;
  /** The key of the request that is under way. */
  #asking: string | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#identity = options.identity;
    this.#showsNext = options.identity.next !== undefined;
  }

  /** What connections show now: after a start the newer one first. */
  get shown(): Identity {
    const { next, ...identity } = this.#identity;
    return this.#showsNext && next !== undefined ? { ...identity, ...next } : identity;
  }

  /** A session is open: what it showed is what counts from now on. */
  online(): void {
    const { next, ...identity } = this.#identity;
    if (next === undefined) return;
    this.#identity = this.#showsNext ? { ...identity, ...next } : identity;
    this.#options.log(this.#showsNext ? 'the renewed certificate counts' : 'the renewed certificate was not taken');
    this.#showsNext = false;
    this.#keep(this.#identity);
  }

  /** A session ended, or did not come about: with two certificates the next one shows the other. */
  offline(): void {
    this.#asking = null;
    if (this.#identity.next === undefined) return;
    this.#showsNext = !this.#showsNext;
    this.#options.show(this.shown);
  }

  /** Asked now and then: asks the console when two thirds of the life are over, once an hour at most. */
  async look(): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    if (now - this.#askedAt >= hour && isDue(this.#identity.certificate, now)) await this.ask();
  }

  /** Makes a key and asks for its certificate. A request that was not answered is forgotten, with its key. */
  async ask(): Promise<void> {
    const { clock, send } = this.#options;
    const { serial, next } = this.#identity;
    if (next !== undefined || clock.now() - this.#askedAt < minute) return;
    this.#askedAt = clock.now();
    const key = await createKey();
    this.#asking = send(edgeRenewMethod, { serial, csr: certificateRequest(key, serial) }) ? key : null;
  }

  /** What the console said: `yunxun.renew` asks, `yunxun.certificate` answers. */
  async heard(method: string, params: Record<string, unknown>): Promise<void> {
    if (method === edgeRenewMethod) await this.ask();
    else if (method === edgeCertificateMethod) this.#answered(params);
  }

  #keep(identity: PinnedIdentity): boolean {
    try {
      this.#options.keep(identity);
      return true;
    } catch (error) {
      this.#options.log(`the certificate cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  #answered(params: Record<string, unknown>): void {
    const { clock, reconnect, log } = this.#options;
    const key = this.#asking;
    if (key === null) return;
    this.#asking = null;
    const certificate = asText(params.certificate, 65_536);
    const wrong =
      certificate === null
        ? `the console refuses it (${asText(params.refused, 32) ?? 'no reason'})`
        : complaint(certificate, key, this.#identity, clock.now());
    if (certificate === null || wrong !== null) {
      log(`the certificate is not renewed: ${wrong}`);
      return;
    }
    const both = { ...this.#identity, next: { key, certificate } };
    // not on disk it would be gone with the next start, and the old one refused
    if (!this.#keep(both)) return;
    this.#identity = both;
    // the end of this session is what lets the next one show the other certificate
    reconnect();
  }
}

/** Whether the last third of a certificate's life has begun. */
export function isDue(certificate: string, now: number): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return now >= from + ((to - from) * 2) / 3;
}

/** Why a certificate is not the one that was asked for, or null. */
function complaint(text: string, key: string, { ca, serial }: PinnedIdentity, now: number): string | null {
  try {
    const certificate = new X509Certificate(text);
    const authority = new X509Certificate(ca);
    const ours = createPublicKey(key).export({ type: 'spki', format: 'der' });
    if (!certificate.publicKey.export({ type: 'spki', format: 'der' }).equals(ours)) return 'it is of another key';
    if (!certificate.subject.split('\n').includes(`CN=${serial}`)) return 'it names another box';
    if (!certificate.verify(authority.publicKey)) return 'it is not by the authority of the enrolment';
    if (Date.parse(certificate.validTo) <= now) return 'it has ended already';
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
