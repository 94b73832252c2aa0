import { type Cancel, type Clock, systemClock } from '@yunxun/edge';
import { askCaptiveApi } from './captive-api.ts';
import type { Fleet } from './fleet.ts';
import { type CapturedGuest, guestGates } from './guest-gates.ts';
import { type Browser, guestBrowser, leaveOf, nextOf, type Page, styleOf } from './guest-page.ts';
import { type GuestKnowledge, mistype, signInBy, wayOf } from './guest-ways.ts';
import { hashOf } from './world/random.ts';
import type { Association, Station } from './world/station.ts';

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
const maxGateSteps = 4;

/** Percentages of guests. */
const share = { asksApi: 60, looksOnly: 8, givesUp: 12, mistypes: 20, doesNotRetry: 50, signsOut: 15 } as const;

interface Tried {
  times: number;
  nextMs: number;
  /** With which it was let in. */
  at: Association | null;
}

/** Follows a page to the device that lets its guest in, and back. */
async function followGate({ isGate }: CapturedGuest, open: Browser, page: Page): Promise<Page> {
  let shown = page;
  for (let step = 0; step < maxGateSteps; step += 1) {
    const next = nextOf(shown);
    if (next === null || !isGate(next)) break;
    shown = await open(next);
  }
  return shown;
}

/** Signs captured clients in on the portal; returns how to stop. */
export function startGuests({ devices }: Pick<Fleet, 'devices'>, plan: GuestPlan): () => void {
  const clock = plan.clock ?? systemClock;
  const gates = guestGates({ devices });
  const ending = new AbortController();
  const tried = new Map<Station, Tried>();
  const leaving: { turn: number; leave: () => Promise<unknown> }[] = [];
  let turn = 0;
  const taken = new Map<string, number>();
  let lastError = '';
  let cancel: Cancel = () => {};

  const until = () => AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)]);

  const browser = guestBrowser(plan.language, until);

  function next(list: string): number {
    const count = taken.get(list) ?? 0;
    taken.set(list, count + 1);
    return count;
  }

  async function walk(guest: CapturedGuest): Promise<void> {
    const { serial, station, redirect, api } = guest;
    const { association } = station;
    const times = (tried.get(station)?.times ?? 0) + 1;
    const note: Tried = { times, nextMs: clock.now() + againMs, at: null };
    tried.set(station, note);
    const draw = (what: string) => hashOf(`${what} ${serial} ${station.number} ${times}`) % 100;
    const open = guest.browser(browser);
    const known = api && draw('asks') < share.asksApi ? await askCaptiveApi(api, until(), plan.ca) : null;
    const first = await open(known ?? redirect);
    let page = await followGate(guest, open, first);
    if (page === first) {
      if (draw('looks') < share.looksOnly) return;
      const style = styleOf(page);
      if (style) await open(style);
      if (draw('gives up') < share.givesUp) return;
      const asked = { page, open, knows: plan, draw, next };
      const way = wayOf(asked);
      const refused = draw('types') < share.mistypes ? await mistype(asked, way) : null;
      if (refused && draw('retries') < share.doesNotRetry) return;
      page = await followGate(guest, open, await signInBy({ ...asked, page: refused ?? page }, way));
    }
    note.at = association;
    const leave = leaveOf(page, open);
    if (leave && draw('leaves') < share.signsOut) leaving.push({ turn: turn + turnsUntilSignOut, leave });
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
    for (const gate of gates) {
      const guests = gate.captured().filter(({ person }) => person.habit.comesAndGoes);
      const hasMoved = (station: Station) => {
        const at = tried.get(station)?.at ?? null;
        return gate.ofEach && at !== null && at !== station.association;
      };
      const moved = guests.filter(hasMoved);
      const fresh = guests.find((station) => !hasMoved(station) && (tried.get(station)?.nextMs ?? 0) <= now);
      for (const station of [...moved, ...(fresh ? [fresh] : [])]) {
        const guest = gate.guest(station);
        if (guest) quietly(walk(guest));
        else tried.set(station, { times: 0, nextMs: now + againMs, at: null });
      }
    }
    while (leaving[0] && leaving[0].turn <= turn) quietly(leaving.shift()!.leave());
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
