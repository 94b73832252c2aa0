import { dayOf, timeText, weekdayOf } from '../../platform/calendar.ts';
import { zone } from '../memory.ts';
import { beganAt, troublesOf } from '../troubles.ts';
import { plannedOf, sitesOf } from './sites.ts';
import type { Story } from './story.ts';

const minuteMs = 60_000;
const lead = 5;

/** Plans maintenance: a window in which one shop was switched off last night, one on Sundays, and a weekly restart. */
export const maintenance: Story = {
  name: 'maintenance',
  async tell(world) {
    const now = beganAt(world.file);
    for (const owner of world.owners) {
      const { call, account } = owner;
      const sites = sitesOf(world, owner);
      for (const { shop, gwid, fleet } of sites) {
        const work = troublesOf(account, shop, plannedOf(fleet), now).find(({ kind }) => kind === 'maintenance');
        if (!work) continue;
        const opens = new Date(work.from.getTime() - lead * minuteMs);
        const window = {
          weekdays: [weekdayOf(dayOf(opens, zone))],
          start: timeText(opens, zone).slice(11),
          minutes: 60,
        };
        await call('/api/v3/network/window/save', { gwid, window });
      }
      const [first] = sites;
      if (!first) continue;
      const window = { weekdays: [7], start: '03:00', minutes: 120 };
      await call('/api/v3/network/window/save', { gwid: first.gwid, window });
      await call('/api/v3/network/restart/save', { gwid: first.gwid, weekdays: [1], start: '04:00' });
    }
  },
};
