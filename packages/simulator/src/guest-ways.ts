import { type Browser, choicesOf, hostForm, isRefused, nextOf, offers, type Page, signInForm } from './guest-page.ts';

export interface GuestKnowledge {
  password: string;
  vouchers: readonly string[];
  accounts: readonly { name: string; password: string }[];
  cards?: () => readonly string[];
  coupon?: string;
  dynamicPassword?: () => Promise<string>;
  /** `send` returns whether a code was sent: else an earlier one may be valid. */
  smsCode?: (phone: string, send: () => Promise<boolean>) => Promise<string>;
  host?: {
    address: string;
    link(): Promise<string>;
  };
}

export interface Guest {
  page: Page;
  open: Browser;
  knows: GuestKnowledge;
  draw(question: string): number;
  next(list: string): number;
}

const share = { buysLongest: 25, hasCoupon: 30, doesNotPay: 15, hostIsAway: 15, hostRefuses: 10 } as const;

const names = ['Anna Wu', 'Ben Carter', 'Chen Li', 'Dora Klein', 'Emil Roth', 'Fang Yu'];

interface Way {
  weight: number;
  can(knows: GuestKnowledge): boolean;
  /** Fields that are typed; null: nothing can be mistyped. */
  typed: string | null;
  answers(guest: Guest): Promise<Record<string, string>>;
  walk?(guest: Guest): Promise<Page>;
}

const phoneOf = ({ draw }: Guest) =>
  `13800${['a', 'b', 'c'].map((digit) => String(draw(`phone ${digit}`)).padStart(2, '0')).join('')}`;

const nothing = async () => ({});

const ways = {
  one_click: { weight: 30, can: () => true, typed: null, answers: nothing },
  password: {
    weight: 18,
    can: () => true,
    typed: 'password',
    answers: async ({ knows }) => ({ password: knows.password }),
  },
  dynamic_password: {
    weight: 10,
    can: ({ dynamicPassword }) => dynamicPassword !== undefined,
    typed: 'password',
    answers: async ({ knows }) => ({ password: (await knows.dynamicPassword?.()) ?? '' }),
  },
  voucher: {
    weight: 14,
    can: ({ vouchers }) => vouchers.length > 0,
    typed: 'voucher',
    answers: async ({ knows: { vouchers }, next }) => ({ voucher: vouchers[next('voucher') % vouchers.length] ?? '' }),
  },
  account: {
    weight: 8,
    can: ({ accounts }) => accounts.length > 0,
    typed: 'password',
    answers: async ({ knows: { accounts }, draw }) => ({ ...accounts[draw('who') % accounts.length] }),
  },
  sms: {
    weight: 16,
    can: ({ smsCode }) => smsCode !== undefined,
    typed: 'code',
    async answers(guest) {
      const phone = phoneOf(guest);
      const send = async () => !isRefused(await guest.open(...signInForm(guest.page, 'sms', { phone, step: 'send' })));
      return { phone, code: (await guest.knows.smsCode?.(phone, send)) ?? '' };
    },
  },
  recharge_card: {
    weight: 5,
    can: ({ cards }) => cards !== undefined && cards().length > 0,
    typed: 'card',
    async answers({ knows, next }) {
      const cards = knows.cards?.() ?? [];
      return { card: cards[next('card') % cards.length] ?? '' };
    },
  },
  purchase: { weight: 8, can: () => true, typed: null, answers: nothing, walk: buy },
  sponsor: { weight: 8, can: ({ host }) => host !== undefined, typed: null, answers: nothing, walk: askHost },
} as const satisfies Record<string, Way>;

export type GuestWay = keyof typeof ways;
const known: Readonly<Record<string, Way>> = ways;
const waysInOrder = Object.keys(ways) as GuestWay[];

export function wayOf({ page, knows, draw }: Guest): GuestWay {
  const possible = waysInOrder.filter((way) => offers(page, way) && known[way]!.can(knows));
  let left = (draw('way') / 100) * possible.reduce((sum, way) => sum + known[way]!.weight, 0);
  const found = possible.find((way) => {
    left -= known[way]!.weight;
    return left < 0;
  });
  return found ?? possible[0] ?? 'one_click';
}

/** @returns the page with the refusal; null: nothing to mistype */
export async function mistype(guest: Guest, way: GuestWay): Promise<Page | null> {
  const { typed, answers } = known[way]!;
  if (typed === null) return null;
  return guest.open(...signInForm(guest.page, way, { ...(await answers(guest)), [typed]: '000wrong' }));
}

/** @returns the page after the sign-in: online, waiting or refused */
export async function signInBy(guest: Guest, way: GuestWay): Promise<Page> {
  const { answers, walk } = known[way]!;
  return walk ? walk(guest) : guest.open(...signInForm(guest.page, way, await answers(guest)));
}

/** Orders a package, and pays on the first payment page. */
async function buy({ page, open, knows, draw }: Guest): Promise<Page> {
  const packages = choicesOf(page, 'package');
  const [pay] = choicesOf(page, 'pay');
  const longest = packages.length - 1;
  const wanted = packages[draw('longest') < share.buysLongest ? longest : draw('package') % Math.max(1, longest)];
  if (wanted === undefined || pay === undefined) return page;
  const coupon = draw('coupon') < share.hasCoupon ? (knows.coupon ?? '') : '';
  const sent = await open(...signInForm(page, 'purchase', { step: 'buy', package: wanted, pay, coupon }));
  const payment = nextOf(sent);
  if (payment === null) return sent;
  const opened = await open(payment);
  return draw('pays') < share.doesNotPay ? opened : open(opened.url, new URLSearchParams());
}

/** The host answers by the link in the message. */
async function askHost({ page, open, knows, draw }: Guest): Promise<Page> {
  const { host } = knows;
  if (!host) return page;
  const guest = names[draw('name') % names.length]!;
  const waiting = await open(...signInForm(page, 'sponsor', { guest, sponsor: host.address, step: 'ask' }));
  const next = nextOf(waiting);
  if (next === null || draw('host') < share.hostIsAway) return waiting;
  const answer = draw('answer') < share.hostRefuses ? 'refused' : 'approved';
  await open(...hostForm(await open(await host.link()), answer));
  return open(next);
}
