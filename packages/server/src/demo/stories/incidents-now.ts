import { setTimeout as pause } from 'node:timers/promises';
import type { Owner } from '../accounts.ts';
import { listed } from './peripherals.ts';
import { type Site, sitesOf, withRole } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

/** Milliseconds: the next report of each minute shows the loss, and it is an alarm a minute or two later. */
const lineLostMs = 260_000;

/**
 * Lets two things fail while the demo runs: the line of an office, whose branches then use the backup centre, and
 * cameras of a hotel, one of which stays off.
 */
export const incidentsNow: Story = {
  name: 'incidents-now',
  async tell(world) {
    await Promise.all(
      world.owners.flatMap((owner) => {
        const sites = sitesOf(world, owner).filter(({ shop }) => shop.edge);
        const office = sites.find(({ shop }) => shop.kind === 'office');
        const hotel = sites.find(({ shop }) => shop.kind === 'hotel');
        return [office && loseLine(world, office), hotel && loseCameras(world, owner, hotel)];
      }),
    );
  },
};

async function loseLine({ stopping }: DemoWorld, office: Site): Promise<void> {
  const [gateway] = withRole(office, 'edge');
  if (!gateway) return;
  gateway.fault('cable', { port: 'WAN1', on: false });
  try {
    await pause(lineLostMs, undefined, { signal: stopping });
  } finally {
    gateway.fault('cable', { port: 'WAN1', on: true });
  }
}

async function loseCameras(world: DemoWorld, owner: Owner, hotel: Site): Promise<void> {
  const [gateway] = withRole(hotel, 'edge');
  const statusOf = async (id: string) => (await listed(owner, hotel)).find((one) => one.id === id)?.status;
  const cameras = (await listed(owner, hotel)).filter(({ type }) => type === 'camera').slice(0, 2);
  if (!gateway) return;
  for (const [index, { id, ip: address }] of cameras.entries()) {
    await until(world, async () => (await statusOf(id)) === 'online');
    gateway.fault('machine', { address, on: false });
    await until(world, async () => (await statusOf(id)) === 'offline');
    if (index === 0) gateway.fault('machine', { address, on: true });
  }
}
