import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Downloads } from '../../platform/http/download.ts';
import type { Log } from '../../platform/log.ts';
import { DeviceCommands, releaseDevice } from '../../uplink/index.ts';
import type { InForceOf } from '../configuration/layers/in-force.ts';
import type { Jobs } from '../jobs/service.ts';
import type { Messages } from '../messages/service.ts';
import { type AgentOffer, createAgentUpgrades } from './agent-upgrade.ts';
import { airRoutes } from './air-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { createCommands } from './commands.ts';
import { knownDevices, knownNetworks } from './device-store.ts';
import { createDevices } from './devices.ts';
import { pruneEvents } from './event-store.ts';
import { createGroups, knownGroups } from './groups.ts';
import { createNetworks } from './networks.ts';
import type { DeviceServer } from './onboarding.ts';
import { createPresence } from './presence.ts';
import { createReboots } from './reboot.ts';
import { fleetRoutes } from './routes.ts';
import { toolRoutes } from './tools/routes.ts';
import { createToolRunner, uploadPath } from './tools/runner.ts';
import { createTools } from './tools/service.ts';
import { knownRuns, pruneRuns } from './tools/store.ts';
import { UnbindRegistry } from './unbind.ts';
import { type Connecting, createUplinkHandlers } from './uplink-handlers.ts';
import { knownViews } from './views.ts';

export interface FleetDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register'>;
  messages: Pick<Messages, 'post'>;
  /** How devices reach this installation; asked when a page wants to know. */
  deviceServer(): DeviceServer;
  /** The version of our agent that boxes can be upgraded to. */
  agentOffer(): Promise<AgentOffer | null>;
}

/** Networks and devices: who is bound, where it belongs, whether it is there. */
export function createFleet(deps: FleetDeps) {
  const { database, bus, clock, jobs, log, messages } = deps;
  const presence = createPresence({ bus, clock });
  const commands = createCommands(new DeviceCommands(bus));
  const unbind = new UnbindRegistry();
  unbind.join({
    part: 'certificate',
    async remove(tx, { accountId, serials, at }) {
      for (const serial of serials) await releaseDevice(tx, bus, { accountId, serial }, at);
      return serials.length;
    },
  });
  const networks = createNetworks({ database, bus, clock, jobs, unbind, log });
  const devices = createDevices({ bus, commands });
  const groups = createGroups({ bus, clock });
  const tools = createTools({ database, clock, jobs });
  const toolRunner = createToolRunner({
    ...{ database, clock, jobs, devices: new DeviceCommands(bus) },
    publicUrl: () => deps.deviceServer().publicUrl,
  });
  const reboots = createReboots({ database, clock, jobs, commands, presence });
  const upgrades = createAgentUpgrades({ database, clock, jobs, commands, presence, offer: deps.agentOffer });
  return {
    routes: ({ downloads, inForceOf }: { downloads: Downloads; inForceOf: InForceOf }) => [
      ...fleetRoutes({ ...deps, networks, devices, reboots, upgrades, inForceOf }),
      ...batchRoutes({ database, bus, clock, unbind, groups, networks }),
      ...airRoutes({ clock }),
      ...toolRoutes({ tools, downloads }),
    ],
    /** What the uplink tells; fits its handlers. */
    handlers: (connecting: Connecting) => createUplinkHandlers({ database, bus, presence, jobs, messages, connecting }),
    /** Features join here to take away what is theirs when a network or a device is unbound. */
    unbind,
    /** Has the access points of a network scan the air. */
    scanNetwork: tools.scanNetwork,
    /** Where devices bring captures and bundles, and whose a token of such an address is. */
    uploads: { path: uploadPath, of: tools.upload },
    /** Features join here to take over what is theirs when a device takes another's place. */
    succeed: networks.succeed,
    standIn: networks.standIn,
    /** Groups of devices; who keeps things of them follows. */
    groups,
    /** For whoever commands a restart: until the device is back it is "restarting". */
    presence: { restarting: presence.restarting },
    /** Says which ids of a request exist in its scope. */
    objects: { network: knownNetworks, device: knownDevices, group: knownGroups, view: knownViews, tool: knownRuns },
    tasks: {
      ...reboots.tasks,
      ...upgrades.tasks,
      ...toolRunner.tasks,
      'fleet-prune-events': async () => {
        const deleted = await pruneEvents(database.system, clock.now());
        if (deleted > 0) log.info({ deleted }, 'old device events deleted');
        await pruneRuns(database.system, clock.now());
      },
    },
    schedules: [{ task: 'fleet-prune-events', cron: '23 * * * *' }],
  };
}

export type Fleet = ReturnType<typeof createFleet>;
