import type { configuration } from '@yunxun/contract';
import type { Finding } from './intent.ts';

type Params = Record<string, string | number>;

export class Findings {
  readonly list: Finding[] = [];

  /** Reports a field that the document omits. */
  leftOut(code: configuration.FindingCode, field: string, params: Params = {}): void {
    this.list.push({ severity: 'left_out', code, field, params });
  }

  /** Reports a field with another value than requested. */
  adjusted(code: configuration.FindingCode, field: string, params: Params = {}): void {
    this.list.push({ severity: 'adjusted', code, field, params });
  }

  /** Reports an error: the document must not be sent. */
  wrong(code: configuration.FindingCode, field: string, params: Params = {}): void {
    this.list.push({ severity: 'wrong', code, field, params });
  }
}
