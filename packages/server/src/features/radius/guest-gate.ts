import type { GuestLimits, RadiusGuestRefusal } from '@yunxun/contract';

export interface GuestPlace {
  accountId: string;
  gwid: string;
}

export const placeOf = ({ accountId, gwid }: GuestPlace): GuestPlace => ({ accountId, gwid });

export interface GuestRequest {
  username: string;
  /** 12 lower-case hex digits. */
  mac: string | null;
  ip: string | null;
  acctSessionId: string | null;
  /** Checks PAP, CHAP or MS-CHAPv2 against the clear password. */
  proves(password: string): boolean;
}

export interface GuestGrant {
  sessionId: string;
  limits: GuestLimits;
  /** Null: no limit. */
  secondsLeft: number | null;
  /** Both directions; 0: no limit. */
  maxBytes: number;
}

export interface GuestAccounting {
  kind: 'start' | 'interim' | 'stop';
  username: string;
  acctSessionId: string;
  mac: string | null;
  ip: string | null;
  seconds: number;
  counter: string;
  /** Total bytes of the session; never fall. */
  upBytes: number;
  downBytes: number;
  /** A word of `terminateCauses`. */
  cause: string | null;
}

export interface GuestGate {
  redeem(place: GuestPlace, request: GuestRequest): Promise<GuestGrant | RadiusGuestRefusal>;
  /**
   * Is idempotent: events may repeat after a crash. Takes those of a session in their order; returns for each what it
   * failed of, or null.
   */
  accountAll(reports: readonly { place: GuestPlace; event: GuestAccounting }[]): Promise<readonly unknown[]>;
}

export const refusingGate: GuestGate = {
  redeem: async () => 'portal_off',
  accountAll: async (reports) => reports.map(() => null),
};
