import type { Storage } from '../../platform/storage.ts';
import type { InstallationDeps } from './context.ts';
import { createDiskReport } from './disk.ts';
import { installationObjects, installationRoutes } from './routes.ts';
import { lockSetting, readSetting, registrationOpen, writeSetting } from './settings.ts';

export { theInstallation } from './context.ts';
export { diskUse } from './disk.ts';
export { createMapTiles, type MapTilesSource } from './map-tiles.ts';
export { createProviders, type ProviderEndpoints } from './providers.ts';
export { newSetupToken } from './settings.ts';

export const installationSettings = { lockSetting, readSetting, registrationOpen, writeSetting };

export function createInstallation(deps: InstallationDeps & { storage: Pick<Storage, 'usage'> }) {
  return {
    routes: () => installationRoutes(deps),
    objects: installationObjects(deps),
    ...createDiskReport(deps),
  };
}
