import type { PastGateway } from '@yunxun/simulator';
import { addDays, dayOf, momentOf } from '../../platform/calendar.ts';
import type { Owner } from '../accounts.ts';
import { zone } from '../memory.ts';
import { inThePast, type PastConsole } from '../past-console.ts';
import { beganAt } from '../troubles.ts';
import { openGateway } from './past-visits.ts';
import { localized, type Site, sitesOf } from './sites.ts';
import { runSteps } from './steps.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

const domains = [
  'ads.tracker.example',
  'banner.adnet.example',
  'click.adnet.example',
  'coin-pool.example',
  'fake-bank.example',
  'free-prizes.example',
  'pixel.stats.example',
  'popunder.example',
];
const days = 29;
const hourMs = 3_600_000;
const hours = [9, 12, 15, 18, 21];

/** Blocks an own list in hotels, monitors it in offices, and counts what gateways refused in the last weeks. */
export const shield: Story = {
  name: 'shield',
  async tell(world) {
    for (const owner of world.owners) {
      const { call } = owner;
      const sites = sitesOf(world, owner).filter(({ shop }) => shop.edge);
      if (sites.length === 0) continue;
      await call('/api/v3/cloud_security/own/save', { domains });
      const { total } = await call<{ total: number }>('/api/v3/cloud_security/allowlist/list', { limit: 10 });
      const pay = { name: localized(owner, { zh: '微信支付', en: 'Payments' }), link: 'https://pay.weixin.qq.com/' };
      if (total === 0) await call('/api/v3/cloud_security/allowlist/create', pay);
      await inThePast(world, async (past) => {
        for (const mode of ['block', 'monitor'] as const) {
          const gwids = sites.filter((site) => modeOf(site) === mode).map(({ gwid }) => gwid);
          const setting = { gwids, mode, categories: ['own'], redirect: mode === 'block' };
          if (gwids.length > 0) await call('/api/v3/cloud_security/setting/save', setting);
        }
        await countDays(world, past, owner, sites);
      });
      await until(world, () => isEnforced(owner, sites));
    }
  },
};

const modeOf = ({ shop }: Site) => (shop.kind === 'office' ? 'monitor' : 'block');

async function isEnforced({ call }: Owner, sites: readonly Site[]): Promise<boolean> {
  const asked = { page: 1, limit: 100 };
  const { list } = await call<{ list: { gwid: string; state: string }[] }>(
    '/api/v3/cloud_security/setting/list',
    asked,
  );
  const states = new Map(list.map(({ gwid, state }) => [gwid, state]));
  return sites.every((site) => states.get(site.gwid) === (modeOf(site) === 'block' ? 'enforced' : 'monitor'));
}

/** The gateways kept their counts of each day until the console asked. */
async function countDays(world: DemoWorld, past: PastConsole, owner: Owner, sites: readonly Site[]): Promise<void> {
  const open: { site: Site; gateway: PastGateway }[] = [];
  for (const site of sites) open.push({ site, gateway: await openGateway(world, past, owner, site) });
  const today = dayOf(beganAt(world.file), zone);
  const steps = Array.from({ length: days }, (_none, index) => async () => {
    const day = addDays(today, index - days);
    for (const { site, gateway } of open) {
      const rows = hours.flatMap((hour) => {
        const at = momentOf(day, `${String(hour).padStart(2, '0')}:00`, zone).getTime();
        return gateway.refused([{ category: 'own', domains }], at, modeOf(site) === 'block');
      });
      const batch = { id: `${gateway.serial}-${day}`, rows };
      past.answer(owner.accountId, gateway.serial, () => ({ error: 0, text: 'Success', tool: { shield: batch } }));
    }
    past.at(new Date(momentOf(day, '22:00', zone).getTime() + hourMs));
    await past.run('shield-counts');
  });
  await runSteps(world, `shield ${owner.account.email}`, steps);
}
