import type { Tx } from '../../platform/database/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { isFor, runs } from './images.ts';
import { type Image, readyImages } from './store.ts';

interface Runs {
  model: string | null;
  compatible: string | null;
  firmware: string | null;
}

function newerOf(images: readonly Image[], { model, compatible, firmware }: Runs): string | null {
  const image = images.find((one) => isFor(one, { model, compatible }));
  return !image || firmware === null || runs(firmware, image.version) ? null : image.version;
}

export async function newerFirmware(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const images = await readyImages(tx, accountId);
  if (images.length === 0) return new Map();
  const devices = await fleetDevices.firmware(tx, accountId, serials);
  return new Map(
    devices.flatMap((device) => {
      const newer = newerOf(images, device);
      return newer === null ? [] : [[device.serial, newer] as const];
    }),
  );
}

export async function outdated(
  tx: Tx,
  accountId: string,
): Promise<{ model: string; compatible: string | null; firmware: string }[]> {
  const images = await readyImages(tx, accountId);
  if (images.length === 0) return [];
  return (await fleetDevices.versionCounts(tx, accountId)).flatMap(({ model, compatible, version: firmware }) =>
    firmware !== null && newerOf(images, { model, compatible, firmware }) ? [{ model, compatible, firmware }] : [],
  );
}
