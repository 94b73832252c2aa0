import { type Cancel, type Clock, systemClock } from '@yunxun/edge';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import { askCaptiveApi } from './captive-api.ts';
import type { Fleet } from './fleet.ts';
import { hashOf } from './world/random.ts';
import type { Station } from './world/station.ts';

export interface GuestPlan {
  /** Guests who begin, a minute; each sends at most eight requests. */
  perMinute: number;
  language: string;
  password: string;
  vouchers: readonly string[];
  accounts: readonly { name: string; password: string }[];
  clock?: Clock;
  log?: (line: string) => void;
  /** Certificate authorities that phones trust, as PEM; otherwise the system's. */
  ca?: string;
}

/** Milliseconds; an order to the gateway may take 15 s. */
const timeoutMs = 20_000;
/** Milliseconds until the next try. */
const againMs = 20 * 60_000;
const turnsUntilSignOut = 30;

/** Percentages of guests. */
const share = { asksApi: 60, looksOnly: 8, givesUp: 12, mistypes: 20, doesNotRetry: 50, signsOut: 15 } as const;

type Way = 'one_click' | 'password' | 'voucher' | 'account';
const preferred: readonly (readonly [Way, number])[] = [
  ['one_click', 45],
  ['password', 25],
  ['voucher', 18],
  ['account', 12],
];

interface Page {
  url: string;
  html: string;
}

/** Signs captured clients in on the portal; returns how to stop. */
export function startGuests({ devices }: Pick<Fleet, 'devices'>, plan: GuestPlan): () => void {
  const clock = plan.clock ?? systemClock;
  const boxes = devices.flatMap(({ box }) => (box instanceof EdgeGatewayBox ? [box] : []));
  const ending = new AbortController();
  const tried = new Map<Station, { times: number; nextMs: number }>();
  const leaving: { turn: number; page: Page }[] = [];
  let turn = 0;
  let vouchersUsed = 0;
  let lastError = '';
  let cancel: Cancel = () => {};

  const until = () => AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)]);

  async function open(url: string, form?: URLSearchParams): Promise<Page> {
    const response = await fetch(url, {
      signal: until(),
      headers: { 'accept-language': plan.language },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    return { url: response.url, html: await response.text() };
  }

  function answersOf(way: Way, chance: number): Record<string, string> {
    if (way === 'password') return { password: plan.password };
    if (way === 'voucher') return { voucher: plan.vouchers[vouchersUsed++ % plan.vouchers.length] ?? '' };
    if (way === 'account') return { ...plan.accounts[chance % plan.accounts.length] };
    return {};
  }

  async function walk(box: EdgeGatewayBox, station: Station): Promise<void> {
    const times = (tried.get(station)?.times ?? 0) + 1;
    tried.set(station, { times, nextMs: clock.now() + againMs });
    const draw = (what: string) => hashOf(`${what} ${box.serial} ${station.number} ${times}`) % 100;
    const captured = box.redirect(station, 'http://connectivitycheck.gstatic.com/generate_204');
    if (captured === null) return;
    const api = draw('asks') < share.asksApi ? box.captiveApi(station) : null;
    const known = api && (await askCaptiveApi(api, until(), plan.ca));
    let page = await open(known ?? captured);
    if (draw('looks') < share.looksOnly) return;
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page.html)?.[1];
    if (style) await open(new URL(plainText(style), page.url).href);
    if (draw('gives up') < share.givesUp) return;
    const way = wayOf(page, draw('way'));
    const answers = answersOf(way, draw('who'));
    if (way !== 'one_click' && draw('types') < share.mistypes) {
      page = await open(...signIn(page, way, { ...answers, [way === 'voucher' ? 'voucher' : 'password']: 'wrong' }));
      if (draw('retries') < share.doesNotRetry) return;
    }
    page = await open(...signIn(page, way, answers));
    if (page.html.includes('value="leave"') && draw('leaves') < share.signsOut)
      leaving.push({ turn: turn + turnsUntilSignOut, page });
  }

  const quietly = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => {
      // a portal that this machine cannot reach fails for all guests
      const text = errorText(error);
      if (ending.signal.aborted || text === lastError) return;
      lastError = text;
      plan.log?.(`guest: ${text}`);
    });

  function take(): void {
    turn += 1;
    const now = clock.now();
    for (const box of boxes) {
      const next = box
        .captured()
        .find((station) => station.person.habit.comesAndGoes && (tried.get(station)?.nextMs ?? 0) <= now);
      if (next) quietly(walk(box, next));
    }
    while (leaving[0] && leaving[0].turn <= turn) quietly(open(...signOut(leaving.shift()!.page)));
    cancel = clock.after(60_000 / plan.perMinute, take);
  }

  take();
  return () => {
    cancel();
    ending.abort();
  };
}

/** With the cause: `fetch` says no more than that it failed. */
function errorText(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return String(error);
  return `${String(error)}: ${'code' in cause ? String(cause.code) : cause.message}`;
}

function wayOf({ html }: Page, chance: number): Way {
  const offered = preferred.filter(([way]) => html.includes(`name="way" value="${way}"`));
  let left = (chance / 100) * offered.reduce((sum, [, weight]) => sum + weight, 0);
  const found = offered.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? offered[0])?.[0] ?? 'one_click';
}

const plainText = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
const hidden = (html: string, name: string) =>
  plainText(new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '');
const actionOf = ({ html, url }: Page) =>
  new URL(plainText(/<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? ''), url).href;

function signIn(page: Page, way: Way, answers: Record<string, string>): [string, URLSearchParams] {
  const [state, lang] = [hidden(page.html, 'state'), hidden(page.html, 'lang')];
  return [actionOf(page), new URLSearchParams({ state, lang, way, ...answers })];
}

function signOut(page: Page): [string, URLSearchParams] {
  const [s, lang] = [hidden(page.html, 's'), hidden(page.html, 'lang')];
  return [actionOf(page), new URLSearchParams({ s, lang, act: 'leave' })];
}
