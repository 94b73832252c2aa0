import { fleetConfirm as confirmContract, fleetRestarts as restartsContract } from '@yunxun/contract';
import type { FastifyInstance } from 'fastify';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { implement } from '../../platform/http/call.ts';
import type { Downloads } from '../../platform/http/download.ts';
import { mountSpeedTests } from '../../platform/http/speed-test.ts';
import { mountUploads } from '../../platform/http/upload.ts';
import type { Log } from '../../platform/log.ts';
import { DeviceCommands, releaseDevice } from '../../uplink/index.ts';
import type { Job, Jobs } from '../jobs/index.ts';
import type { Messages } from '../messages/index.ts';
import { airRoutes } from './air-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { isConfirmed, knownDevices, knownNetworks } from './device-store.ts';
import { createDevices } from './devices.ts';
import { insertEvent, pruneEvents } from './events/event-store.ts';
import type { FirmwareFacts } from './firmware-facts.ts';
import { createGroups, knownGroups } from './groups.ts';
import { createChosen } from './lists/chosen.ts';
import type { ListFacts } from './lists/list-facts.ts';
import { knownViews, viewRoutes } from './lists/views.ts';
import { type DevicesChanged, followUpTasks } from './live.ts';
import { maintenanceRoutes } from './maintenance/planned.ts';
import { knownMaintenance, pruneMaintenance } from './maintenance/planned-store.ts';
import { createNetworks } from './networks.ts';
import { outageRoutes } from './outages/outage-routes.ts';
import { pruneOutages } from './outages/outage-store.ts';
import type { HasSettings } from './placement/join-rule.ts';
import type { DeviceServer } from './placement/onboarding.ts';
import { createPresence, type DeviceRef } from './presence.ts';
import { type AgentOffer, createAgentUpgrades, type NoteFailure } from './restarts/agent-upgrade.ts';
import { type CommandJob, createCommandJobs, heldByWindow } from './restarts/command-jobs.ts';
import { createCommands } from './restarts/commands.ts';
import { createReboots } from './restarts/reboot.ts';
import { createRestartSchedules } from './restarts/restart-schedules.ts';
import { fleetRoutes } from './routes.ts';
import { fleetSearch } from './search.ts';
import { toolRoutes } from './tools/routes.ts';
import { createToolRunner, speedPath, uploadPath } from './tools/runner.ts';
import { latestScans } from './tools/scans.ts';
import { createTools } from './tools/service.ts';
import { knownRuns, pruneRuns } from './tools/store.ts';
import { UnbindRegistry } from './unbind.ts';
import { type Connecting, createUplinkHandlers, type MayLead } from './uplink-handlers.ts';

export interface FleetDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  log: Log;
  jobs: Pick<Jobs, 'create' | 'wake' | 'register' | 'remember'>;
  hasSettings: HasSettings;
  messages: Pick<Messages, 'post'>;
  deviceServer(): DeviceServer;
  agentOffer(): Promise<AgentOffer | null>;
  noteFailure: NoteFailure;
  facts: ListFacts;
}

export function createFleet(deps: FleetDeps) {
  const { database, bus, clock, jobs, log, messages } = deps;
  const presence = createPresence({ bus, clock, hasSettings: deps.hasSettings });
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
  const removeDevice = async (tx: Tx, acting: Acting, serial: string): Promise<void> => {
    await networks.removeDevices(tx, acting, null, [serial]);
  };
  const devices = createDevices({ bus, commands, jobs, log });
  const groups = createGroups({ bus, clock });
  const tools = createTools({ database, clock, jobs });
  const toolRunner = createToolRunner({
    database,
    clock,
    jobs,
    devices: new DeviceCommands(bus),
    publicUrl: () => deps.deviceServer().publicUrl,
  });
  const reboots = createReboots({ database, clock, jobs, commands, presence });
  const restarts = createRestartSchedules({ database, clock, log, reboots });
  groups.follow(restarts.removeOfGroup);
  const chosen = createChosen(deps);
  const changeFollowers: DevicesChanged[] = [];
  const { agentOffer: offer, noteFailure } = deps;
  const upgrades = createAgentUpgrades({ database, clock, jobs, commands, presence, offer, noteFailure });
  return {
    routes: (downloads: Downloads) => [
      ...fleetRoutes({ ...deps, chosen, networks, devices, reboots, upgrades }),
      ...batchRoutes({ database, bus, clock, chosen, unbind, groups, networks }),
      ...viewRoutes(clock),
      ...maintenanceRoutes({ chosen, clock }),
      ...implement(restartsContract, {
        restartList: ({ tx, acting, input }) => restarts.list(tx, acting.accountId, input.gwid),
        restartSave: ({ tx, acting, input }) => restarts.save(tx, acting, input),
        async restartCreate({ tx, acting, input: { scope, group_id, weekdays, start, ...networks } }) {
          const gwids = await chosen.networks(tx, acting.accountId, networks);
          return restarts.saveMany(tx, acting, gwids, { scope, group_id, weekdays, start });
        },
        async restartDelete({ tx, acting, input }) {
          await restarts.remove(tx, acting, input);
          return {};
        },
      }),
      ...airRoutes({ clock }),
      ...implement(confirmContract, {
        deviceConfirm: async ({ tx, acting, input }) => ({
          confirmed: await devices.confirm(tx, acting, input.serials),
        }),
      }),
      ...outageRoutes({ clock }),
      ...toolRoutes({ tools, downloads }),
    ],
    handlers: (joined: { connecting: Connecting; mayLead: MayLead }) =>
      createUplinkHandlers({ database, bus, presence, jobs, messages, removeDevice, ...joined }),
    removeDevice,
    isConfirmed,
    unbind,
    search: fleetSearch,
    scanNetwork: tools.scanNetwork,
    latestScans,
    tools: { run: tools.run, detail: tools.detail, hopsOf: tools.hopsOf },
    mountDeviceAddresses(app: FastifyInstance, limitFactor: number): void {
      mountUploads(app, uploadPath, tools.upload, limitFactor);
      mountSpeedTests(app, { path: speedPath, claim: tools.speedWay, limitFactor });
    },
    onDeviceReplaced: networks.onDeviceReplaced,
    onDevicesChanged(follower: DevicesChanged): void {
      changeFollowers.push(follower);
    },
    simulateReplacement: networks.simulateReplacement,
    groups,
    noteEvent: insertEvent,
    commands,
    commandJobs: (kind: CommandJob) => createCommandJobs({ database, clock, jobs, presence }, kind),
    heldByWindow: (ref: DeviceRef, device: FirmwareFacts, job: Job) =>
      heldByWindow({ database, clock }, ref, device, job),
    objects: {
      network: knownNetworks,
      device: knownDevices,
      group: knownGroups,
      maintenance: knownMaintenance,
      view: knownViews,
      tool: knownRuns,
    },
    tasks: {
      ...reboots.tasks,
      ...restarts.tasks,
      ...upgrades.tasks,
      ...toolRunner.tasks,
      ...followUpTasks(changeFollowers),
      'fleet-prune-events': async () => {
        const deleted = await pruneEvents(database.system, clock.now());
        if (deleted > 0) log.info({ deleted }, 'old device events deleted');
        const outages = await pruneOutages(database.system, clock.now());
        if (outages > 0) log.info({ outages }, 'old outages deleted');
        await pruneMaintenance(database.system, clock.now());
        await pruneRuns(database.system, clock.now());
      },
    },
    schedules: [{ task: 'fleet-prune-events', cron: '23 * * * *' }, ...restarts.schedules],
  };
}

export type Fleet = ReturnType<typeof createFleet>;
