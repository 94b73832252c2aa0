interface Sold {
  fen: number;
  at: Date;
  isCard: boolean;
  isLong: boolean;
  usedAt: Date | null;
  startedAt: Date | null;
  endsAt: Date;
  closedAt: Date | null;
  refunds: { fen: number; at: Date; failedAt: Date | null }[];
}

const dayMs = 86_400_000;

/** Counts what is not earned from sales, uses and refunds alone. */
export class Recount {
  readonly sold = new Map<string, Sold>();

  constructor(private readonly zoneOf: () => string) {}

  day(at: Date): string {
    return new Intl.DateTimeFormat('en-CA', { timeZone: this.zoneOf(), dateStyle: 'short' }).format(at);
  }

  add(id: string, sold: Pick<Sold, 'fen' | 'at' | 'isCard' | 'isLong' | 'endsAt'>): Sold {
    const item = { ...sold, usedAt: null, startedAt: null, closedAt: null, refunds: [] };
    this.sold.set(id, item);
    return item;
  }

  private owed(item: Sold, now: Date): number {
    const isOver = (at: Date | null) => at !== null && this.day(at) < this.day(now);
    const today = Date.parse(this.day(now));
    const refunded = item.refunds
      .filter(({ at, failedAt }) => isOver(at) && !isOver(failedAt))
      .reduce((sum, { fen }) => sum + fen, 0);
    const last = Date.parse(this.day(new Date(item.endsAt.getTime() - 1)));
    if (!isOver(item.at) || isOver(item.closedAt) || last < today) return 0;
    if (item.isCard && !isOver(item.usedAt)) return item.fen;
    if (!item.isLong) return 0;
    const rest = item.fen - refunded;
    if (!isOver(item.startedAt)) return rest;
    const first = Date.parse(this.day(item.startedAt!));
    const [passed, all] = [(today - first) / dayMs, (last - first) / dayMs + 1];
    return rest - Math.floor((rest * passed) / all);
  }

  /** At the end of the day before that of `now`, in fen. */
  liability(now: Date): number {
    return [...this.sold.values()].reduce((sum, item) => sum + this.owed(item, now), 0);
  }
}
