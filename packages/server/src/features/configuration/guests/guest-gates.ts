import type { configuration, DataOf } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { fleetDevices, type ManagedDevice } from '../../fleet/index.ts';
import { type Finding, fingerprint, type GuestGate, gateObstacle, isGateAble, noOverride } from '../compile/index.ts';
import { enqueueLateEnrolmentReconcile } from '../late-enrolment.ts';
import type { ImpactDeps } from '../layers/impact.ts';
import { mergeLayers } from '../layers/merge-layers.ts';
import { readLayersOf } from '../layers/reader.ts';
import type { Planner } from '../planner.ts';
import type { Previews } from '../previews.ts';
import type { Rollout } from '../rollout.ts';
import { readStates } from '../version-store.ts';

export type { GuestGate } from '../compile/index.ts';

export interface GateSsid {
  id: string;
  name: string;
  vlan: number | null;
  enabled: boolean;
  obstacle: ReturnType<typeof gateObstacle>;
}

export interface GateState {
  serial: string;
  name: string;
  isOnline: boolean;
  isAble: boolean;
  /** Its document has the sign-in. */
  isSent: boolean;
  /** SSIDs are left out because they cannot have it. */
  leftOut: boolean;
  push: 'waiting' | 'refused' | 'applied';
  isReadBack: boolean;
}

export interface GuestGateDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  previews: Previews;
  rollout: Rollout;
  latestStates: ImpactDeps['latestStates'];
}

const isOfGate = ({ code }: Finding) => code.startsWith('captive_');

export function createGuestGates({ keys, clock, planner, previews, rollout, latestStates }: GuestGateDeps) {
  const accessPoints = async (tx: Tx, accountId: string, ...gwids: string[]): Promise<ManagedDevice[]> =>
    (await fleetDevices.ofNetworks(tx, accountId, gwids, clock.now())).filter(({ kind }) => kind === 'ap');

  return {
    async ssids(tx: Tx, accountId: string, gwid: string): Promise<GateSsid[]> {
      const place = { serial: '', gwid, groupId: null };
      const layersOf = await readLayersOf(tx, keys, accountId, [place]);
      const { ssids } = mergeLayers(layersOf(place), noOverride).network;
      return ssids.map((ssid) => {
        const { id, name, vlan, enabled } = ssid;
        return { id, name, vlan, enabled, obstacle: gateObstacle([ssid]) };
      });
    },

    async able(tx: Tx, accountId: string, gwid: string) {
      const devices = await accessPoints(tx, accountId, gwid);
      const unable = devices.filter(({ capabilities }) => !isGateAble(capabilities as Capabilities | null));
      return { access_points: devices.length, unable: unable.map(({ serial, name }) => ({ serial, name })) };
    },

    async states(tx: Tx, accountId: string, gwid: string): Promise<GateState[]> {
      const devices = await accessPoints(tx, accountId, gwid);
      const serials = devices.map(({ serial }) => serial);
      const compile = await planner.compiler(tx, accountId, devices);
      const states = await readStates(tx, accountId, serials);
      const reports = await latestStates(tx, accountId, serials);
      return devices.map((device) => {
        const { serial, name, status, capabilities } = device;
        const { document, findings } = compile(device);
        const state = states.get(serial)?.state;
        const isWanted = state?.desired_sha === fingerprint(document);
        const failed = state?.state === 'failed' || state?.state === 'drifted';
        return {
          serial,
          name,
          isOnline: status === 'online',
          isAble: isGateAble(capabilities as Capabilities | null),
          isSent: document.services?.captive !== undefined,
          leftOut: findings.some(isOfGate),
          push: isWanted && state.state === 'in_sync' ? 'applied' : failed ? 'refused' : 'waiting',
          isReadBack: state?.active_uuid != null && reports.get(serial)?.params.uuid === state.active_uuid,
        };
      });
    },

    /** Compiles when it runs. @returns null without access points */
    async push(tx: Tx, acting: Acting, gwids: readonly string[]): Promise<string | null> {
      const { accountId } = acting;
      const devices = await accessPoints(tx, accountId, ...gwids);
      const reason = { cause: 'portal_saved', author: acting.actor?.name ?? acting.source } as const;
      const jobId = await rollout.later(tx, acting, devices, reason);
      await enqueueLateEnrolmentReconcile(tx, { accountId, place: { gwids }, jobId });
      return jobId;
    },

    async preview(
      tx: Tx,
      accountId: string,
      gwid: string,
      gate: GuestGate,
    ): Promise<DataOf<(typeof configuration)['wirelessPreview']>> {
      const devices = await accessPoints(tx, accountId, gwid);
      const unsaved = { gates: new Map([[gwid, gate]]) };
      return previews(tx, accountId, devices, await planner.compiler(tx, accountId, devices, unsaved));
    },
  };
}
