// For an instant first paint: three cookies per account, 30 days, never read by the server.
const SECONDS = 30 * 24 * 60 * 60;
const names = { money: 'user_money', coupons: 'user_coupons', cards: 'user_cards' } as const;

export type LastShown = Record<keyof typeof names, string | null>;

const kinds = Object.keys(names) as (keyof typeof names)[];

export function readLastShown(accountId: string): LastShown {
  const cookies = new Map(document.cookie.split('; ').map((part) => part.split('=') as [string, string]));
  const kept = (name: string) => {
    const [account, value] = decodeURIComponent(cookies.get(name) ?? '').split(' ');
    return account === accountId && value ? value : null;
  };
  return { money: kept(names.money), coupons: kept(names.coupons), cards: kept(names.cards) };
}

export function keepLastShown(accountId: string, shown: LastShown): void {
  for (const kind of kinds) {
    const value = shown[kind];
    write(names[kind], value === null ? '' : `${accountId} ${value}`, value === null ? 0 : SECONDS);
  }
}

export function forgetLastShown(): void {
  for (const kind of kinds) write(names[kind], '', 0);
}

function write(name: string, value: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Strict; Max-Age=${seconds}${secure}`;
}
