import {
  type CapturedGuest,
  capturedGuests,
  type GuestKnowledge,
  guestBrowser,
  mistype,
  type Page,
  signInBy,
} from '@yunxun/simulator';
import { type Owner, signIn } from '../accounts.ts';
import type { Call } from '../call.ts';
import { drawFor } from './past-visits.ts';
import { localized, type Site, sitesOf } from './sites.ts';
import { runSteps } from './steps.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

const timeoutMs = 20_000;
const extraMinutes = 120;

/** Makes a receptionist, who helps guests of today and prints vouchers. */
export const reception: Story = {
  name: 'reception',
  async tell(world) {
    for (const owner of world.owners) {
      const site = sitesOf(world, owner).find(({ shop }) => shop.edge);
      if (site) await tellDay(world, owner, site);
    }
  },
};

const mails = { 'zh-CN': 'qiantai@demo.example', en: 'reception@demo.example' } as const;

async function openReception(world: DemoWorld, { call, account, accountId }: Owner, gwid: string): Promise<Call> {
  const { url, dataDir, file } = world;
  const { locale } = account;
  const email = mails[locale];
  const { list } = await call<{ list: { login: string }[] }>('/api/v3/account/member/list', {});
  const person = await signIn(url, dataDir, { locale, email }, file.memory.password);
  if (!list.some(({ login }) => login === email)) {
    const asked = { login: email, role: 'reception', role_id: null, gwids: [gwid] };
    const invitation = await call<{ url: string }>('/api/v3/account/member/invite', asked);
    const token = new URL(invitation.url).pathname.split('/').at(-1);
    await person.call('/api/v3/account/invitation/accept', { token });
  }
  return person.in(accountId);
}

interface Batch {
  id: string;
  name: string;
  kept: boolean;
}

async function makeVouchers(reception: Call, owner: Owner, gwid: string): Promise<void> {
  const batches = [
    { name: localized(owner, { zh: '住客', en: 'Room-guests' }), count: 30, minutes: 2880, devices: 3 },
    { name: localized(owner, { zh: '会议', en: 'Conference' }), count: 50, minutes: 600, devices: 1 },
  ];
  const known = await batchesOf(reception, gwid);
  for (const batch of batches.filter(({ name }) => !known.some((one) => one.name === name)))
    await reception('/api/v3/portal/voucher/create', {
      gwid,
      ...batch,
      valid_days: 90,
      characters: 'mixed',
      length: 8,
    });
}

const batchesOf = async (reception: Call, gwid: string) =>
  (await reception<{ list: Batch[] }>('/api/v3/portal/voucher/list', { gwid, limit: 100 })).list;

async function tellDay(world: DemoWorld, owner: Owner, { shop, gwid, fleet }: Site): Promise<void> {
  const { memory } = world.file;
  const reception = await openReception(world, owner, gwid);
  await makeVouchers(reception, owner, gwid);
  const known = memory.guests[shop.name];
  if (!known) return;
  const browser = guestBrowser(owner.account.locale, () => AbortSignal.timeout(timeoutMs));

  /** The last ones: the guests who come by themselves are the first. */
  async function nextGuests(count: number): Promise<CapturedGuest[]> {
    await until(world, async () => capturedGuests(fleet).length >= count);
    return capturedGuests(fleet).slice(-count);
  }

  const comes = ({ redirect, browser: own }: CapturedGuest) => own(browser)(redirect);

  const asGuest = (guest: CapturedGuest, page: Page, knows: GuestKnowledge) => ({
    page,
    open: guest.browser(browser),
    knows,
    draw: drawFor(`${shop.name} ${guest.station.number}`),
    next: () => guest.station.number,
  });

  async function signedIn(guest: CapturedGuest): Promise<string> {
    await signInBy(asGuest(guest, await comes(guest), known!), 'one_click');
    return idIn('guest', guest);
  }

  async function idIn(list: 'guest' | 'waiting', { station: { mac } }: CapturedGuest): Promise<string> {
    const asked = { gwid, keyword: mac };
    const [found] = (await reception<{ list: { id: string }[] }>(`/api/v3/portal/reception/${list}/list`, asked)).list;
    if (!found) throw new Error(`${mac} is not in the list of ${list}`);
    return found.id;
  }

  await runSteps(world, `reception ${shop.name}`, [
    async () => {
      const [guest] = await nextGuests(1);
      const id = await signedIn(guest!);
      await reception('/api/v3/portal/reception/guest/extend', { gwid, id, minutes: extraMinutes });
    },
    async () => {
      const [old, fresh] = await nextGuests(2);
      const id = await signedIn(old!);
      await comes(fresh!);
      await reception('/api/v3/portal/reception/guest/move', { gwid, id, visit: await idIn('waiting', fresh!) });
    },
    async () => {
      const [guest] = await nextGuests(1);
      await mistype(asGuest(guest!, await comes(guest!), known), 'voucher');
    },
    async () => {
      // a demo of before has batches whose codes were not kept
      const batch = (await batchesOf(reception, gwid)).find(({ kept }) => kept);
      if (batch) await reception('/api/v3/portal/voucher/reveal', { gwid, id: batch.id });
    },
  ]);
}
