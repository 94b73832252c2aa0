import { join } from 'node:path';
import { startFleet } from '@yunxun/simulator';
import { localized } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';

/** Powers an access point that no network has: it waits to be adopted, or to take the place of a broken one. */
async function power(world: DemoWorld): Promise<void> {
  for (const owner of world.owners) {
    const { account, bindingCode, call } = owner;
    const seed = `${account.email} spare`;
    const fleet = await startFleet({
      consoleUrl: world.url,
      devicePort: world.program.devicePort,
      bindingCode,
      seed,
      aps: 1,
      peoplePerAp: 0,
      branded: true,
      folder: join(world.dataDir, 'devices', seed),
      ranOn: true,
    });
    world.fleets.set(seed, fleet);
    const remark = localized(owner, { zh: '备用AP', en: 'Spare AP' });
    for (const { serial } of fleet.devices) await call('/api/v3/ap/update', { serial, remark });
  }
}

export const spare: Story = { name: 'spare', tell: power, resume: power };
