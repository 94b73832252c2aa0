import { localized, sitesOf } from './sites.ts';
import type { Story } from './story.ts';

interface Row {
  seq: number;
  undoable: boolean;
  object: { id: string };
}

/** Renames a device by mistake, and undoes it from the operation log; what other stories changed can be undone too. */
export const log: Story = {
  name: 'log',
  async tell(world) {
    for (const owner of world.owners) {
      const { call } = owner;
      const site = sitesOf(world, owner).at(-1);
      const [device] = site?.fleet.devices.slice(-1) ?? [];
      if (!site || !device) continue;
      const { serial } = device;
      const remark = localized(owner, { zh: '临时AP', en: 'Temporary AP' });
      await call('/api/v3/ap/update', { serial, remark });
      const { list } = await call<{ list: Row[] }>('/api/v3/log/action/list', { page: 1, limit: 50 });
      const row = list.find(({ object, undoable }) => undoable && object.id === serial);
      if (row) await call('/api/v3/log/action/undo', { seq: row.seq });
    }
  },
};
