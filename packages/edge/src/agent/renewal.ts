import { createPublicKey, X509Certificate } from 'node:crypto';
import { asText, edgeCertificateMethod, edgeRenewMethod } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import type { Identity } from '../enrol.ts';
import { certificateRequest, createKey } from '../identity.ts';
import type { PinnedIdentity } from './identity-file.ts';

const minute = 60_000;
const hour = 60 * minute;

export interface RenewalOptions {
  identity: PinnedIdentity;
  clock: Clock;
  /**
   * Writes durably.
   * @throws if that fails
   */
  keep(identity: PinnedIdentity): void;
  send(method: string, params: Record<string, unknown>): boolean;
  show(identity: Identity): void;
  reconnect(): void;
  log(line: string): void;
}

/**
 * Rotates the certificate: in its last third, or on request, requests one for a new key over the session. The new pair
 * is stored beside the old one and replaces it after its first session. Both work until then, so a crash is safe.
 */
export class Renewal {
  readonly #options: RenewalOptions;
  #identity: PinnedIdentity;
  #showsNext: boolean;
  #asking: string | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RenewalOptions) {
    this.#options = options;
    this.#identity = options.identity;
    this.#showsNext = options.identity.next !== undefined;
  }

  /** Certificate for connections; at a start the newer one first. */
  get shown(): Identity {
    const { next, ...identity } = this.#identity;
    return this.#showsNext && next !== undefined ? { ...identity, ...next } : identity;
  }

  online(): void {
    const { next, ...identity } = this.#identity;
    if (next === undefined) return;
    this.#identity = this.#showsNext ? { ...identity, ...next } : identity;
    this.#options.log(this.#showsNext ? 'the renewed certificate counts' : 'the renewed certificate was not taken');
    this.#showsNext = false;
    this.#keep(this.#identity);
  }

  /** Uses the other of two certificates for the next connection. */
  offline(): void {
    this.#asking = null;
    if (this.#identity.next === undefined) return;
    this.#showsNext = !this.#showsNext;
    this.#options.show(this.shown);
  }

  async look(): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    if (now - this.#askedAt >= hour && isDue(this.#identity.certificate, now)) await this.ask();
  }

  /** Drops an unanswered request with its key. */
  async ask(): Promise<void> {
    const { clock, send } = this.#options;
    const { serial, next } = this.#identity;
    if (next !== undefined || clock.now() - this.#askedAt < minute) return;
    this.#askedAt = clock.now();
    const key = await createKey();
    this.#asking = send(edgeRenewMethod, { serial, csr: certificateRequest(key, serial) }) ? key : null;
  }

  /** Handles `yunxun.renew` and `yunxun.certificate`. */
  async onCommand(method: string, params: Record<string, unknown>): Promise<void> {
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
        : certificateError(certificate, key, this.#identity, clock.now());
    if (certificate === null || wrong !== null) {
      log(`the certificate is not renewed: ${wrong}`);
      return;
    }
    const both = { ...this.#identity, next: { key, certificate } };
    // off disk it would be lost at the next start, after the console dropped the old one
    if (!this.#keep(both)) return;
    this.#identity = both;
    // only a new session presents the other certificate
    reconnect();
  }
}

export function isDue(certificate: string, now: number): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return now >= from + ((to - from) * 2) / 3;
}

function certificateError(text: string, key: string, { ca, serial }: PinnedIdentity, now: number): string | null {
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
