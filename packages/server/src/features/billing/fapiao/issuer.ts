import { createHash } from 'node:crypto';
import type { billingFapiao } from '@yunxun/contract';
import { dayOf } from '../../../platform/calendar.ts';
import type { Buyer, Seller } from './tables.ts';

export interface IssueRequest {
  /** Repeated requests have the same, and get the same invoice. */
  id: string;
  orderNo: string;
  buyer: Buyer;
  seller: Seller;
  /** Includes the tax; positive. */
  fen: number;
  taxFen: number;
  askedAt: Date;
}

export type IssueAnswer =
  | { state: 'issued'; number: string; issuedOn: string; url: string | null }
  | { state: 'pending' }
  | { state: 'failed'; reason: string };

/** Rejections leave open whether it was issued: the request is repeated. */
export interface Issuer {
  issue(request: IssueRequest): Promise<IssueAnswer>;
  red(request: IssueRequest & { original: string }): Promise<IssueAnswer>;
}

export const sandboxTitles = { fails: 'SANDBOX FAIL', waits: 'SANDBOX WAIT' } as const;

function sandboxInvoice({ id, askedAt }: IssueRequest): IssueAnswer {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex').slice(0, 16)}`);
  const number = `SANDBOX-${String(digits).padStart(20, '0').slice(-12)}`;
  return { state: 'issued', number, issuedOn: dayOf(askedAt, 'Asia/Shanghai'), url: null };
}

function createSandboxIssuer(): Issuer {
  const waited = new Set<string>();
  return {
    async issue(request) {
      const { id, buyer } = request;
      if (buyer.name === sandboxTitles.fails) return { state: 'failed', reason: sandboxTitles.fails };
      if (buyer.name !== sandboxTitles.waits || waited.has(id)) return sandboxInvoice(request);
      waited.add(id);
      return { state: 'pending' };
    },
    red: async (request) => sandboxInvoice(request),
  };
}

/** Null: the shop issues in its tax system. */
export type Issuers = Readonly<Record<billingFapiao.IssuerKind, Issuer | null>>;

export const createIssuers = (): Issuers => ({ manual: null, sandbox: createSandboxIssuer() });
