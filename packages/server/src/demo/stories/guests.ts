import type { GuestWay, PlaceKind } from '@yunxun/simulator';
import { addDays, dayOf, momentOf } from '../../platform/calendar.ts';
import type { Owner } from '../accounts.ts';
import { knowledgeOf } from '../guest-knowledge.ts';
import { zone } from '../memory.ts';
import { inThePast, type PastConsole } from '../past-console.ts';
import { beganAt } from '../troubles.ts';
import { openSites, type PastSite, visit } from './past-visits.ts';
import { localized, sitesOf } from './sites.ts';
import { runSteps } from './steps.ts';
import type { DemoWorld, Story } from './story.ts';

const days = 5;
const firstGuest = 25;

export const guests: Story = {
  name: 'guests',
  async tell(world) {
    for (const owner of world.owners) {
      const sites = sitesOf(world, owner).filter(({ shop }) => shop.edge || shop.gates);
      for (const { shop, gwid } of sites) {
        const phone = localized(owner, { zh: '0571-8765 4321', en: '+61 2 5550 1234' });
        await owner.call('/api/v3/auth_template/shop/save', { gwid, name: shop.name, phone });
      }
      await inThePast(world, async (past) => {
        for (const site of await openSites(world, past, owner, sites)) await tellDays(world, past, owner, site);
      });
    }
  },
};

const ways: Readonly<Record<PlaceKind, readonly GuestWay[]>> = {
  hotel: ['one_click', 'sms', 'voucher', 'account'],
  office: ['sponsor', 'password', 'one_click', 'voucher', 'account'],
  shop: ['sms', 'one_click', 'voucher', 'account'],
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
  const wanted = ways[shop.kind];
  const visits = Array.from({ length: days * wanted.length }, (_none, index) => {
    const [ago, turn] = [days - Math.floor(index / wanted.length), index % wanted.length];
    const time = `${String(9 + 3 * turn).padStart(2, '0')}:${10 + 7 * ago}`;
    const at = momentOf(addDays(today, -ago), time, zone);
    return { at, way: wanted[turn]!, isWrong: (ago + turn) % 4 === 0, minutes: 25 + ((index * 13) % 80) };
  });
  const steps = visits.map((one, index) => () => visit(past, site, locale, knows, firstGuest + index, one));
  await runSteps(world, `visits ${shop.name}`, steps);
}
