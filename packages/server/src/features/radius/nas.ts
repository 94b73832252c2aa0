export interface Nas {
  accountId: string;
  id: string;
  gwid: string;
  source: string | null;
  identifier: string | null;
  requireMa: boolean;
  /** Changed by hand: signatures no longer switch it on. */
  isMaChosen: boolean;
  coaPort: number;
  /** Of the network's access points, which ask over their connections alone. */
  isManaged: boolean;
  /** Its counters do not begin anew at 4 GiB. */
  sendsGigawords: boolean;
  provenAt: Date | null;
  savedAt: Date;
  sealed: Buffer;
  secret: Buffer;
}

export type Entry = Omit<Nas, 'secret'> & { secret: Buffer | null };
