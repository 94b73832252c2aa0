import { addDays, dayOf, momentOf } from '../../platform/calendar.ts';
import { zone } from '../memory.ts';
import { inThePast } from '../past-console.ts';
import { beganAt } from '../troubles.ts';
import { localized, sitesOf } from './sites.ts';
import type { Story } from './story.ts';

interface Made {
  made: { id: string }[];
}

export const backups: Story = {
  name: 'backups',
  async tell(world) {
    const today = dayOf(beganAt(world.file), zone);
    for (const owner of world.owners) {
      const gwids = sitesOf(world, owner).map(({ gwid }) => gwid);
      await inThePast(world, async (past) => {
        const call = await past.as(owner);
        past.at(momentOf(addDays(today, -12), '10:00', zone));
        const note = localized(owner, { zh: '验收通过的配置', en: 'As accepted at hand-over' });
        const { made } = await call<Made>('/api/v3/cloud_backup/create', { gwids, note });
        for (const { id } of made.slice(0, 1)) await call('/api/v3/cloud_backup/pin', { id, pinned: true });
        past.at(momentOf(addDays(today, -3), '17:30', zone));
        await call('/api/v3/cloud_backup/create', {
          gwids: gwids.slice(0, 2),
          note: localized(owner, { zh: '换宽带之前', en: 'Before the new line' }),
        });
      });
      const plan = { cycle: 'weekly', hour: 4, weekday: 7 };
      await owner.call('/api/v3/cloud_backup/plan/save', { gwids: gwids.slice(0, 1), plan });
    }
  },
};
