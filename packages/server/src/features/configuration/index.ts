import { diff } from './compile/diff.ts';
import { canonical } from './compile/index.ts';
import { maskSecrets } from './compile/mask.ts';
import { configurationRoutes } from './routes.ts';
import { type ConfigurationDeps, createConfiguration as createServices } from './service.ts';

export { configurationAlarms } from './alarm-source.ts';
export { sumDrops } from './client-drops.ts';
export type { GatewayChange, GatewayParticipant } from './gateway-participants.ts';
export type { GateState, GuestGate } from './guests/guest-gates.ts';
export type { NetworkSettings } from './settings.ts';

export const documents = { canonical, diff, maskSecrets };

export type Configuration = ReturnType<typeof createConfiguration>;

export function createConfiguration(deps: ConfigurationDeps) {
  const services = createServices(deps);
  return { ...services, routes: () => configurationRoutes(services) };
}
