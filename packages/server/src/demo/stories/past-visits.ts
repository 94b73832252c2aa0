import { createHash } from 'node:crypto';
import {
  type GuestKnowledge,
  type GuestWay,
  guestBrowser,
  mistype,
  nextOf,
  type Page,
  type PastGateway,
  pastGateways,
  signInBy,
  signOutForm,
} from '@yunxun/simulator';
import type { Owner } from '../accounts.ts';
import type { PastConsole } from '../past-console.ts';
import type { Site } from './sites.ts';
import type { DemoWorld } from './story.ts';
import { until } from './waiting.ts';

export interface PastSite {
  site: Site;
  gateway: PastGateway;
}

interface Visit {
  at: Date;
  way: GuestWay;
  isWrong?: boolean;
  minutes: number;
}

const minuteMs = 60_000;
const timeoutMs = 20_000;
const maxSteps = 4;

/** Waits until the gateways of sites capture guests, and lets them answer the console of the past. */
export async function openSites(
  world: Pick<DemoWorld, 'stopping'>,
  past: PastConsole,
  { accountId }: Owner,
  sites: readonly Site[],
): Promise<PastSite[]> {
  const open: PastSite[] = [];
  for (const site of sites) {
    const gateways = () => pastGateways(site.fleet).filter(({ redirects }) => redirects.length > 0);
    await until(world, async () => gateways().length > 0);
    const gateway = gateways()[0]!;
    past.answer(accountId, gateway.serial, (params) => gateway.answer(params, past.now().getTime()));
    open.push({ site, gateway });
  }
  return open;
}

/** Returns a draw of 0…99 that depends on the question alone. */
export const drawFor =
  (seed: string) =>
  (question: string): number =>
    createHash('sha256').update(`${seed} ${question}`).digest().readUInt32BE() % 100;

/**
 * Lets one of a site's guests come, sign in and leave.
 * @param number of the guest
 */
export async function visit(
  past: PastConsole,
  { site, gateway }: PastSite,
  language: string,
  knows: GuestKnowledge,
  number: number,
  { at, way, isWrong = false, minutes }: Visit,
): Promise<void> {
  past.at(at);
  const open = guestBrowser(language, () => AbortSignal.timeout(timeoutMs));
  const redirect = new URL(gateway.redirects[number % gateway.redirects.length]!);
  const portal = new URL(past.portalUrl);
  Object.assign(redirect, { protocol: portal.protocol, host: portal.host });
  const page = await open(redirect.href);
  const guest = { page, open, knows, draw: drawFor(`${site.shop.name} ${number}`), next: () => number };
  const refused = isWrong ? await mistype(guest, way) : null;
  let shown: Page = await signInBy({ ...guest, page: refused ?? page }, way);
  for (let step = 0; step < maxSteps && !isOnline(shown); step += 1) {
    const next = nextOf(shown);
    if (next === null) return;
    shown = await open(next);
  }
  if (!isOnline(shown)) return;
  past.at(new Date(at.getTime() + minutes * minuteMs));
  await open(...signOutForm(shown));
}

const isOnline = ({ html }: Page) => html.includes('value="leave"');
