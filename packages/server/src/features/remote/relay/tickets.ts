import { randomBytes } from 'node:crypto';
import { remoteLimits } from '@yunxun/contract/device';

export class Tickets<T = unknown> {
  readonly #open = new Map<string, T>();

  issue(ticket: T): string {
    const secret = randomBytes(16).toString('hex');
    this.#open.set(secret, ticket);
    setTimeout(() => this.#open.delete(secret), remoteLimits.lineWait).unref();
    return secret;
  }

  take(secret: string): T | undefined {
    const ticket = this.#open.get(secret);
    this.#open.delete(secret);
    return ticket;
  }
}
