import { randomBytes, timingSafeEqual } from 'node:crypto';
import { tokenHash } from '../../../platform/crypto/index.ts';
import { cookieName, ownCookies } from './headers.ts';
import type { WebPart } from './names.ts';

/** Milliseconds until a page must have followed its one-time address. */
const ticketUntil = 60_000;

/** Who may see the two names of a session: one-time tickets, exchanged for a cookie of each name. */
export class WebAccess {
  readonly #tickets = new Map<string, { part: WebPart; until: number }>();
  readonly #secrets = new Map<WebPart, Buffer>();
  readonly #isSecure: boolean;

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure;
  }

  issue(part: WebPart): string {
    const now = Date.now();
    for (const [ticket, { until }] of this.#tickets) if (until < now) this.#tickets.delete(ticket);
    const ticket = randomBytes(16).toString('hex');
    this.#tickets.set(ticket, { part, until: now + ticketUntil });
    return ticket;
  }

  /** @returns the `Set-Cookie` header, '' for a browser that has it; null for a ticket that is unknown, used or over */
  exchange(ticket: string, part: WebPart, hasCookie: boolean): string | null {
    const found = this.#tickets.get(ticket);
    if (found?.part !== part) return null;
    this.#tickets.delete(ticket);
    if (found.until < Date.now()) return null;
    if (hasCookie) return '';
    const secret = randomBytes(16).toString('hex');
    this.#secrets.set(part, tokenHash(secret));
    return `${cookieName(this.#isSecure)}=${secret}; Path=/; HttpOnly; SameSite=Lax${this.#isSecure ? '; Secure' : ''}`;
  }

  allows(cookies: string | undefined, part: WebPart): boolean {
    const known = this.#secrets.get(part);
    return (
      known !== undefined &&
      ownCookies(cookies, this.#isSecure).some((secret) => timingSafeEqual(tokenHash(secret), known))
    );
  }
}
