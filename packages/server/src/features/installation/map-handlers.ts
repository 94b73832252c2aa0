import type { installation } from '@yunxun/contract';
import { afterCommit } from '../../platform/database/index.ts';
import { invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { readTileAddress, type TileFault } from '../../platform/tile-address.ts';
import { record } from '../logs/index.ts';
import { type InstallationDeps, theInstallation } from './context.ts';
import { type MapSettings, mapTilesSetting } from './map-tiles.ts';
import { lockSetting } from './settings.ts';

export function mapHandlers(deps: InstallationDeps): Pick<Handlers<typeof installation>, 'saveMap'> {
  const { database, mapTiles, config } = deps;
  return {
    async saveMap({ acting, input }) {
      await database.withSystem(async (tx) => {
        await lockSetting(tx, mapTilesSetting);
        const before = await mapTiles.settings(tx);
        const after = { ...before, ...input };
        check(after, config.publicUrl);
        await mapTiles.write(tx, after);
        afterCommit(tx, mapTiles.forget);
        await record(tx, acting, {
          action: 'installation.save_map',
          object: theInstallation,
          before: shown(before),
          after: shown(after),
          inverse: { path: '/api/v3/install/map', input: { ...before } },
        });
      });
      return {};
    },
  };
}

function check({ preset, key, url }: MapSettings, publicUrl: string): void {
  if (preset === 'tianditu' && key === '') invalid('key', 'validation.required');
  if (preset !== 'own') return;
  if (url === '') invalid('url', 'validation.required');
  const address = readTileAddress(url, publicUrl);
  if ('fault' in address) invalid('url', faults[address.fault]);
}

const faults: Readonly<Record<TileFault, string>> = {
  marks: 'validation.tileMarks',
  scheme: 'validation.tileAddress',
  person: 'validation.tileAddress',
  host: 'validation.tileAddress',
  https: 'validation.tileHttps',
};

/** Without the key. */
const shown = ({ preset, url, attribution, datum }: MapSettings) => ({
  map_preset: preset,
  ...(preset === 'own' ? { map_url: url, map_attribution: attribution, map_datum: datum } : {}),
});
