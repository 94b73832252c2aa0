import { type Cancel, type Clock, systemClock } from '@yunxun/edge';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import { askCaptiveApi } from './captive-api.ts';
import type { Fleet } from './fleet.ts';
import { guestBrowser, type Page, signOutForm, styleOf } from './guest-page.ts';
import { type GuestKnowledge, mistype, signInBy, wayOf } from './guest-ways.ts';
import { hashOf } from './world/random.ts';
import type { Station } from './world/station.ts';

export interface GuestPlan extends GuestKnowledge {
  /** Guests who begin, a minute; each sends at most eight requests. */
  perMinute: number;
  language: string;
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

/** Signs captured clients in on the portal; returns how to stop. */
export function startGuests({ devices }: Pick<Fleet, 'devices'>, plan: GuestPlan): () => void {
  const clock = plan.clock ?? systemClock;
  const boxes = devices.flatMap(({ box }) => (box instanceof EdgeGatewayBox ? [box] : []));
  const ending = new AbortController();
  const tried = new Map<Station, { times: number; nextMs: number }>();
  const leaving: { turn: number; page: Page }[] = [];
  let turn = 0;
  const taken = new Map<string, number>();
  let lastError = '';
  let cancel: Cancel = () => {};

  const until = () => AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)]);

  const open = guestBrowser(plan.language, until);

  function next(list: string): number {
    const count = taken.get(list) ?? 0;
    taken.set(list, count + 1);
    return count;
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
    const style = styleOf(page);
    if (style) await open(style);
    if (draw('gives up') < share.givesUp) return;
    const guest = { page, open, knows: plan, draw, next };
    const way = wayOf(guest);
    const refused = draw('types') < share.mistypes ? await mistype(guest, way) : null;
    if (refused && draw('retries') < share.doesNotRetry) return;
    page = await signInBy({ ...guest, page: refused ?? page }, way);
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
    while (leaving[0] && leaving[0].turn <= turn) quietly(open(...signOutForm(leaving.shift()!.page)));
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
