import type { PageError, PortalError } from '@yunxun/portal';

export class Refused extends Error {
  readonly error: PageError;

  constructor(reason: PortalError, params: PageError['params'] = {}) {
    super(reason);
    this.error = { reason, params };
  }
}
