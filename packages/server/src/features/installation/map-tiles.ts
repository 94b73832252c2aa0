import type { installation } from '@yunxun/contract';
import type { Config } from '../../platform/config.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readTileAddress } from '../../platform/tile-address.ts';
import { readSetting, writeSetting } from './settings.ts';

export const mapTilesSetting = 'map_tiles';

export interface MapSettings {
  preset: (typeof installation.mapPresets)[number];
  /** Of Tianditu. */
  key: string;
  /** Own tiles. */
  url: string;
  attribution: string;
  datum: (typeof installation.mapDatums)[number];
}

export interface MapTiles {
  url: string;
  /** Names of places. */
  overlay: string | null;
  attribution: string;
  datum: MapSettings['datum'];
}

export type MapTilesSource = ReturnType<typeof createMapTiles>;

/** Pages share a read for this long. */
const sharedMs = 1000;

const tianditu = (layer: string, key: string) =>
  `https://t0.tianditu.gov.cn/${layer}_w/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=${layer}&STYLE=default&TILEMATRIXSET=w&FORMAT=tiles&TILEMATRIX={z}&TILEROW={y}&TILECOL={x}&tk=${encodeURIComponent(key)}`;

export function tilesOf({ preset, key, url, attribution, datum }: MapSettings): MapTiles | null {
  switch (preset) {
    case 'none':
      return null;
    case 'osm':
      return {
        url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
        overlay: null,
        attribution: '© OpenStreetMap contributors',
        datum: 'wgs84',
      };
    case 'amap':
      return {
        url: 'https://webrd02.is.autonavi.com/appmaptile?lang=zh_cn&size=1&scale=1&style=8&x={x}&y={y}&z={z}',
        overlay: null,
        attribution: '© 高德地图',
        datum: 'gcj02',
      };
    case 'tianditu':
      // CGCS 2000, which differs from WGS 84 by centimetres
      return { url: tianditu('vec', key), overlay: tianditu('cva', key), attribution: '© 天地图', datum: 'wgs84' };
    case 'own':
      return { url, overlay: null, attribution, datum };
  }
}

/** The environment's applies until an administrator saves one. */
export function createMapTiles({ database, config }: { database: Database; config: Config }) {
  const supplied = config.mapTiles;
  const initial: MapSettings = {
    preset: supplied ? 'own' : 'none',
    key: '',
    url: supplied?.url ?? '',
    attribution: supplied?.attribution ?? '',
    datum: 'wgs84',
  };
  let shared: Promise<MapTiles | null> | null = null;

  async function settings(tx: Tx | Database['system']): Promise<MapSettings> {
    return (await readSetting<MapSettings>(tx, mapTilesSetting)) ?? initial;
  }

  function tiles(): Promise<MapTiles | null> {
    if (!shared) {
      shared = settings(database.system).then(tilesOf);
      setTimeout(() => {
        shared = null;
      }, sharedMs).unref();
    }
    return shared;
  }

  return {
    settings,
    tiles,

    write: (tx: Tx, value: MapSettings) => writeSetting(tx, mapTilesSetting, value),

    forget(): void {
      shared = null;
    },

    async pictureOrigins(): Promise<string[]> {
      const shown = await tiles();
      const address = shown && readTileAddress(shown.url, config.publicUrl);
      return address && 'origin' in address && address.origin !== null ? [address.origin] : [];
    },
  };
}
