import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { IdentityService } from '../identity/index.ts';
import type { Operation } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import type { MapTilesSource } from './map-tiles.ts';
import type { Providers } from './providers.ts';

export interface InstallationDeps {
  database: Database;
  clock: Clock;
  bus: Bus;
  outbox: Outbox;
  messages: Messages;
  providers: Providers;
  mapTiles: MapTilesSource;
  identity: Pick<IdentityService, 'reset' | 'secondFactor'>;
  config: Pick<Config, 'publicUrl' | 'tls' | 'deviceClientCas' | 'adminEmail' | 'privateSmtp'>;
  device: { host: string; port: number };
  authority: { certificate: string; server: { certificate: string }; serverNames: readonly string[] };
  version: string;
  /** Null when idle. */
  preparing(): { done: number; total: number } | null;
}

export const theInstallation: Operation['object'] = { type: 'installation', id: 'installation', name: 'Yunxun' };
