import type { UnbindPart } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { DeviceCommands, DeviceRef, UplinkHandlers } from '../../uplink/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { createBlocking } from './blocking.ts';
import { ChangeRegistry } from './changes.ts';
import { noOverride, type Ssid } from './compile/index.ts';
import { createDeviceConfig } from './device-config.ts';
import { readContact, runningFirst } from './first-contact/contact-store.ts';
import { createPolling } from './first-contact/polling.ts';
import { createReportRequests } from './first-contact/report-requests.ts';
import { createFirstContact } from './first-contact/service.ts';
import { createGateway } from './gateway.ts';
import { GatewayParticipants } from './gateway-participants.ts';
import { readGateway } from './gateway-store.ts';
import { createGuestGates } from './guests/guest-gates.ts';
import { createLateEnrolment, enqueueLateEnrolmentReconcile } from './late-enrolment.ts';
import { deleteScopeAssignments } from './layers/assignment-store.ts';
import { createEffective } from './layers/effective.ts';
import { createGroupSettings } from './layers/group.ts';
import type { ImpactDeps } from './layers/impact.ts';
import { createInForce, runsTemplate } from './layers/in-force.ts';
import { mergeLayers } from './layers/merge-layers.ts';
import { readLayersOf } from './layers/reader.ts';
import { createLayers } from './layers/service.ts';
import { deleteLayer } from './layers/template-store.ts';
import { createOverrides } from './overrides.ts';
import { createPlanner, type PlannerDeps, type PushReason } from './planner.ts';
import { createPreviews, type PreviewDeps } from './previews.ts';
import { createPush, cycledTask } from './push.ts';
import { createReports } from './reports.ts';
import { createRollout } from './rollout.ts';
import { hasSavedSettings } from './saved-settings.ts';
import { ssidSearch } from './search.ts';
import { createSettings } from './settings.ts';
import type { SubnetWatchDeps } from './subnet-watch.ts';
import { createSwitches } from './switches.ts';
import { readState, removeConfiguration } from './version-store.ts';
import { createWireless, type WirelessDeps } from './wireless.ts';

export interface ConfigurationDeps {
  database: Database;
  bus: Bus;
  clock: Clock;
  keys: AccountKeys;
  jobs: Pick<Jobs, 'create' | 'register' | 'wake' | 'wakeAll' | 'cancel'>;
  commands: Pick<DeviceCommands, 'configure' | 'call' | 'script'>;
  latestState: PreviewDeps['latestState'];
  latestStates: ImpactDeps['latestStates'];
  noteEvent: SubnetWatchDeps['noteEvent'];
  blockedTerminals: PlannerDeps['blockedTerminals'];
  sdwanOf: PlannerDeps['sdwanOf'];
  shieldOf: PlannerDeps['shieldOf'];
  captiveOf: PlannerDeps['captiveOf'];
  guestGatesOf: PlannerDeps['guestGatesOf'];
  passwords: PlannerDeps['passwords'];
  passwordRulesAt: WirelessDeps['passwordRulesAt'];
}

export type Configuration = ReturnType<typeof createConfiguration>;

export function createConfiguration(deps: ConfigurationDeps) {
  const { clock, keys, jobs } = deps;
  const planner = createPlanner(deps);
  const rollout = createRollout({ planner, jobs, clock });
  const requests = createReportRequests(deps);
  const contacts = createFirstContact({ ...deps, rollout, settled: (ref) => changed(ref) });
  const { changed, connected, cycled, disconnected, message, reported } = createReports({
    ...deps,
    planner,
    rollout,
    contacts,
    requests,
  });
  const push = createPush({
    ...deps,
    planner,
    askForReport: (device) => void requests.once(device, null).catch(() => undefined),
  });
  const previews = createPreviews(deps);
  const changes = new ChangeRegistry();
  const gatewayParticipants = new GatewayParticipants();

  /** Reconciles all, even after an error of one device. */
  async function lookAt(serials: readonly string[], accountId: string): Promise<void> {
    const failures: unknown[] = [];
    for (const serial of serials)
      await changed({ accountId, serial }).catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  return {
    wireless: createWireless({ ...deps, planner, rollout, previews, changes }),
    gateway: createGateway({ ...deps, planner, rollout, previews, changes, participants: gatewayParticipants }),
    gatewayParticipants,
    overrides: createOverrides({ ...deps, planner, rollout, changes }),
    switches: createSwitches({ ...deps, planner, rollout, previews, changes }),
    layers: createLayers({ ...deps, planner, rollout }),
    groups: createGroupSettings({ ...deps, planner, rollout, previews, changes }),
    effective: createEffective({ planner, clock }),
    inForceOf: createInForce({ keys }),
    hasSettings: hasSavedSettings,
    runsTemplate,
    devicesChanged: lookAt,
    settings: createSettings({ ...deps, planner, rollout, previews, changes }),
    changes,
    guestGates: createGuestGates({ ...deps, planner, previews, rollout }),
    blocking: createBlocking({ clock, planner, rollout, previews }),
    devices: createDeviceConfig({ keys, clock, planner, rollout }),

    joinHandlers: (fleet: UplinkHandlers): UplinkHandlers => ({
      ...fleet,
      async connected(device, connect, link) {
        await fleet.connected(device, connect, link);
        await connected(device, connect, link);
      },
      async disconnected(device, info) {
        disconnected(device);
        await fleet.disconnected(device, info);
      },
      async reported(device, report, at) {
        await fleet.reported(device, report, at);
        await reported(device, report, at);
      },
      async message(device, method, params, at) {
        await fleet.message(device, method, params, at);
        await message(device, method, params, at);
      },
    }),

    /** Returns false if SSIDs are bridged: a printer in a LAN port must not move Wi-Fi. */
    async mayLead(tx: Tx, ref: DeviceRef): Promise<boolean> {
      if (!(await readContact(tx, ref))?.routes || !(await readState(tx, ref)).known) return true;
      return (await runningFirst(tx, ref.accountId, [ref.serial])).has(ref.serial);
    },

    /** Compiles when it runs. @returns null without devices */
    async pushLater(tx: Tx, acting: Acting, gwids: readonly string[], reason: PushReason): Promise<string | null> {
      const { accountId } = acting;
      const devices = await fleetDevices.ofNetworks(tx, accountId, gwids, clock.now());
      const jobId = await rollout.later(tx, acting, devices, reason);
      await enqueueLateEnrolmentReconcile(tx, { accountId, place: { gwids }, jobId });
      return jobId;
    },

    /** Compiles per wave; a failed gateway does not stop them. */
    pushWaves(
      tx: Tx,
      acting: Acting,
      gateways: readonly { serial: string; gwid: string | null; name: string; wave: number }[],
      reason: PushReason,
    ): Promise<string | null> {
      const waves = new Map(gateways.map(({ serial, wave }) => [serial, wave]));
      const plan = { restSeconds: 0, stopAbove: 100, first: 0 };
      return rollout.later(tx, acting, gateways, reason, { plan, waveOf: (serial) => waves.get(serial) ?? 0 });
    },

    /** Returns keyed SSIDs, without groups and overrides. */
    async ssidsOf(
      tx: Tx,
      accountId: string,
      gwids: readonly string[],
    ): Promise<Map<string, Pick<Ssid, 'name' | 'hidden' | 'security'>[]>> {
      const places = gwids.map((gwid) => ({ serial: '', gwid, groupId: null }));
      const layersOf = await readLayersOf(tx, keys, accountId, places);
      return new Map(
        places.map((place) => {
          const { ssids } = mergeLayers(layersOf(place), noOverride).network;
          const keyed = ssids.filter(({ key }) => key !== null);
          return [place.gwid, keyed.map(({ name, hidden, security }) => ({ name, hidden, security }))];
        }),
      );
    },

    /** Returns saved LANs, or the default one of a gateway. */
    async lansOf(
      tx: Tx,
      accountId: string,
      gwid: string,
    ): Promise<{ name: string; vlan: number | null; subnet: string | null }[]> {
      const { value } = await readGateway(tx, accountId, gwid);
      const saved = value?.networks.map(({ name, vlan, address }) => ({ name, vlan, subnet: address }));
      return saved ?? [{ name: 'LAN', vlan: null, subnet: null }];
    },

    forgetGroup: async (tx: Tx, accountId: string, groupId: string): Promise<void> => {
      await deleteScopeAssignments(tx, accountId, groupId);
      await deleteLayer(tx, accountId, groupId);
    },

    search: ssidSearch,

    unbind: {
      part: 'configuration' as UnbindPart,
      remove: (tx: Tx, gone: { accountId: string; gwid: string | null; serials: readonly string[] }) =>
        removeConfiguration(tx, gone.accountId, gone.serials, gone.gwid),
    },

    tasks: {
      ...push.tasks,
      ...contacts.tasks,
      ...createPolling({ ...deps, requests }),
      ...createLateEnrolment(deps, lookAt),
      [cycledTask]: ({ accountId, serial }: DeviceRef) => cycled({ accountId, serial }),
    },
    schedules: [{ task: 'configuration-fetch-reports', cron: '* * * * *' }],
    stop: push.stop,
  };
}
