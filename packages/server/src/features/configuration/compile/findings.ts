import type { configuration } from '@yunxun/contract';
import type { Finding } from './intent.ts';

type Params = Record<string, string | number>;

/** Collects what a device cannot do as asked, in the order in which it is found. */
export class Findings {
  readonly list: Finding[] = [];

  /** A field that the document does not hold. */
  leftOut(code: configuration.FindingCode, field: string, params: Params = {}): void {
    this.list.push({ severity: 'left_out', code, field, params });
  }

  /** A field that the document holds otherwise than asked. */
  adjusted(code: configuration.FindingCode, field: string, params: Params = {}): void {
    this.list.push({ severity: 'adjusted', code, field, params });
  }

  /** The document must not be sent. */
  wrong(code: configuration.FindingCode, field: string, params: Params = {}): void {
    this.list.push({ severity: 'wrong', code, field, params });
  }
}
