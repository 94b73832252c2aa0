import type { GuestWay } from '@yunxun/simulator';
import { addDays, dayOf, momentOf } from '../../platform/calendar.ts';
import { type Owner, signIn } from '../accounts.ts';
import { knowledgeOf } from '../guest-knowledge.ts';
import { zone } from '../memory.ts';
import { inThePast, type PastConsole } from '../past-console.ts';
import { beganAt } from '../troubles.ts';
import { openSites, type PastSite, visit } from './past-visits.ts';
import { localized, type Site, sitesOf } from './sites.ts';
import { runSteps } from './steps.ts';
import type { DemoWorld, Story } from './story.ts';

const days = 5;
const firstGuest = 25;

export const guests: Story = {
  name: 'guests',
  async tell(world) {
    for (const owner of world.owners) {
      const sites = sitesOf(world, owner).filter(({ shop }) => shop.edge);
      for (const { shop, gwid } of sites) {
        const phone = localized(owner, { zh: '0571-8765 4321', en: '+61 2 5550 1234' });
        await owner.call('/api/v3/auth_template/shop/save', { gwid, name: shop.name, phone });
      }
      const [first] = sites;
      if (first) await openReception(world, owner, first);
      await inThePast(world, async (past) => {
        for (const site of await openSites(world, past, owner, sites)) await tellDays(world, past, owner, site);
      });
    }
  },
};

const ways: Readonly<Record<'hotel' | 'office', readonly GuestWay[]>> = {
  hotel: ['one_click', 'sms', 'voucher', 'account'],
  office: ['sponsor', 'password', 'one_click', 'voucher', 'account'],
};

async function tellDays(
  world: DemoWorld,
  past: PastConsole,
  { account: { locale }, call }: Owner,
  site: PastSite,
): Promise<void> {
  const { dataDir, file } = world;
  const { shop, gwid } = site.site;
  const { memory } = file;
  const known = memory.guests[shop.name];
  if (!known) return;
  const knows = knowledgeOf({ name: shop.name, kind: shop.kind, gwid, call }, { known, dataDir, memory });
  const today = dayOf(beganAt(file), zone);
  const wanted = ways[shop.kind === 'office' ? 'office' : 'hotel'];
  const visits = Array.from({ length: days * wanted.length }, (_none, index) => {
    const [ago, turn] = [days - Math.floor(index / wanted.length), index % wanted.length];
    const time = `${String(9 + 3 * turn).padStart(2, '0')}:${10 + 7 * ago}`;
    const at = momentOf(addDays(today, -ago), time, zone);
    return { at, way: wanted[turn]!, isWrong: (ago + turn) % 4 === 0, minutes: 25 + ((index * 13) % 80) };
  });
  const steps = visits.map((one, index) => () => visit(past, site, locale, knows, firstGuest + index, one));
  await runSteps(world, `visits ${shop.name}`, steps);
}

const receptionMails = { 'zh-CN': 'qiantai@demo.example', en: 'reception@demo.example' } as const;

async function openReception(world: DemoWorld, owner: Owner, { gwid }: Site): Promise<void> {
  const { url, dataDir, file } = world;
  const { call, account } = owner;
  const email = receptionMails[account.locale];
  const { list } = await call<{ list: { login: string }[] }>('/api/v3/account/member/list', {});
  const person = await signIn(url, dataDir, { locale: account.locale, email }, file.memory.password);
  if (!list.some(({ login }) => login === email)) {
    const asked = { login: email, role: 'reception', role_id: null, gwids: [gwid] };
    const invitation = await call<{ url: string }>('/api/v3/account/member/invite', asked);
    const token = invitation.url.split('/').at(-1);
    await person.call('/api/v3/account/invitation/accept', { token });
  }
  const reception = person.in(owner.accountId);
  const batches = [
    { name: localized(owner, { zh: '住客', en: 'Room-guests' }), count: 30, minutes: 2880, devices: 3 },
    { name: localized(owner, { zh: '会议', en: 'Conference' }), count: 50, minutes: 600, devices: 1 },
  ];
  const known = await reception<{ list: { name: string }[] }>('/api/v3/portal/voucher/list', { gwid, limit: 100 });
  for (const batch of batches.filter(({ name }) => !known.list.some((one) => one.name === name)))
    await reception('/api/v3/portal/voucher/create', {
      gwid,
      ...batch,
      valid_days: 90,
      characters: 'mixed',
      length: 8,
    });
}
