export interface Movement {
  at: Date;
  what: 'sale' | 'recharge' | 'refund' | 'refund_failed';
  payer: 'guest' | 'account';
  fen: number;
}

interface Books {
  zone: string;
  movements: readonly Movement[];
}

const dayIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return (at: Date) => format.format(at);
};

/** Guests' payments and refunds by day of the zone, in fen. */
export function recountDays({ zone, movements }: Books) {
  const days = new Map<string, { income: number; refunds: number }>();
  const dayOf = dayIn(zone);
  for (const { at, what, payer, fen } of movements) {
    if (payer === 'account') continue;
    const key = dayOf(at);
    const day = days.get(key) ?? { income: 0, refunds: 0 };
    days.set(key, day);
    if (what === 'sale') day.income += fen;
    else day.refunds += what === 'refund' ? fen : -fen;
  }
  return days;
}

/** The trial balance of a month of the zone, in fen. */
export function recountMonth({ zone, movements }: Books, month: string) {
  const dayOf = dayIn(zone);
  const sums = {
    money: { opening: 0, debit: 0, credit: 0 },
    income: { opening: 0, debit: 0, credit: 0 },
    external: { opening: 0, debit: 0, credit: 0 },
  };
  for (const { at, what, payer, fen } of movements) {
    const isIn = what !== 'refund';
    const when = dayOf(at).slice(0, 7);
    if (when > month) continue;
    const other = sums[payer === 'guest' ? 'income' : 'external'];
    for (const [sum, moved] of [
      [sums.money, isIn ? fen : -fen],
      [other, isIn ? -fen : fen],
    ] as const)
      if (when < month) sum.opening += moved;
      else sum[moved > 0 ? 'debit' : 'credit'] += Math.abs(moved);
  }
  return sums;
}
