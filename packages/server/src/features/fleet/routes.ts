import { allows, fleet as contract, type DataOf } from '@yunxun/contract';
import { asRecord, type State } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { readLatestState } from '../../telemetry/index.ts';
import type { createAgentUpgrades } from './agent-upgrade.ts';
import { attention } from './attention.ts';
import { deviceDetail, listDevices, listWaiting } from './device-list.ts';
import type { createDevices } from './devices.ts';
import { latestEvents } from './event-store.ts';
import { gatewayFacts } from './gateway-facts.ts';
import { listNetworks, networkRows } from './network-list.ts';
import type { createNetworks } from './networks.ts';
import { type DeviceServer, onboarding } from './onboarding.ts';
import type { createReboots } from './reboot.ts';
import { radiosOf, uplinkAddress } from './report.ts';

export interface FleetRoutesDeps {
  database: Database;
  clock: Clock;
  networks: ReturnType<typeof createNetworks>;
  devices: ReturnType<typeof createDevices>;
  reboots: ReturnType<typeof createReboots>;
  upgrades: ReturnType<typeof createAgentUpgrades>;
  deviceServer(): DeviceServer;
}

/** Events that the detail of a device shows. */
const eventsShown = 20;

/** Networks, their devices, adoption, and what needs attention. */
export function fleetRoutes(deps: FleetRoutesDeps): Route[] {
  const { clock, database, devices, networks, reboots, upgrades } = deps;

  async function network(tx: Tx, accountId: string, gwid: string) {
    const [row] = await networkRows(tx, accountId, clock.now(), [gwid]);
    if (!row) throw new Failure('notFound');
    return row;
  }

  async function device(tx: Tx, accountId: string, serial: string) {
    const row = await deviceDetail(tx, accountId, clock.now(), serial);
    if (!row) throw new Failure('notFound');
    return row;
  }

  return implement(contract, {
    networkList: ({ tx, acting, input }) => listNetworks(tx, acting.accountId, clock.now(), input),
    async networkDetail({ tx, acting, input }) {
      const row = await network(tx, acting.accountId, input.gwid);
      return { ...row, ...(await gatewayFacts(tx, acting.accountId, row.has_gateway ? row.sn : null)) };
    },
    networkCreate: ({ tx, acting, input }) => networks.create(tx, acting, input.remark),
    async networkUpdate({ tx, acting, input }) {
      await networks.update(tx, acting, input.gwid, input);
      return network(tx, acting.accountId, input.gwid);
    },
    async networkDelete({ acting, input }) {
      await networks.remove(acting, input.gwid);
      return {};
    },
    networkUnbind: ({ acting, input }) => networks.unbindNetwork(acting, input.gwid),
    networkReboot: ({ tx, acting, input }) => reboots.networks(tx, acting, input.gwids, input.queue ?? false),
    deviceUnbind: ({ acting, input }) => networks.unbindDevice(acting, input.serial),
    waitingList: ({ tx, acting, input }) => listWaiting(tx, acting.accountId, clock.now(), input),
    async adopt({ tx, acting, input }) {
      await devices.adopt(tx, acting, input.serial, input.gwid);
      return device(tx, acting.accountId, input.serial);
    },
    async deviceRefresh({ inTenant, acting, input }) {
      await devices.refresh(inTenant, acting, input.serial);
      return {};
    },
    apList: ({ tx, acting, input }) => listDevices(tx, acting.accountId, clock.now(), input),
    apDetail: async ({ tx, acting, input }) =>
      apDetail(tx, acting.accountId, await device(tx, acting.accountId, input.serial)),
    async apUpdate({ tx, acting, input }) {
      await devices.rename(tx, acting, input.serial, input.remark);
      return device(tx, acting.accountId, input.serial);
    },
    agentUpgradePreview: ({ tx, acting, input }) => upgrades.preview(tx, acting.accountId, input.serials),
    agentUpgrade: ({ tx, acting, input }) => upgrades.start(tx, acting, input.serials),
    apReboot: ({ tx, acting, input }) => reboots.devices(tx, acting, input.serials, input.queue ?? false),
    async apBlink({ inTenant, acting, input }) {
      await devices.blink(inTenant, acting, input.serial, input.seconds);
      return {};
    },
    onboarding: ({ tx, acting, caller }) => onboarding(tx, database, deps.deviceServer(), acting.accountId, caller.ip),
    attention: ({ tx, acting, identity }) =>
      attention(tx, acting.accountId, clock.now(), allows(identity.actor, 'job.read')),
  });
}

type Detail = DataOf<typeof contract.apDetail>;
type DetailRow = NonNullable<Awaited<ReturnType<typeof deviceDetail>>>;

async function apDetail(tx: Tx, accountId: string, row: DetailRow): Promise<Detail> {
  const report = await readLatestState(tx, { accountId, serial: row.serial });
  const state = asRecord<State>(report?.params.state);
  const events = await latestEvents(tx, accountId, row.serial, eventsShown);
  return {
    ...row,
    ...(await gatewayFacts(tx, accountId, row.serial)),
    lan_ip: uplinkAddress(state),
    radios: radiosOf(state),
    events: events.map((event) => ({ at: event.at.toISOString(), type: event.type, payload: event.payload })),
  };
}
