import { allows, fleet as contract, type DataOf } from '@yunxun/contract';
import { asRecord, type State } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { type Identity, implement, type Route } from '../../platform/http/call.ts';
import { readLatestState } from '../../telemetry/index.ts';
import { sharedCertificate } from '../../uplink/index.ts';
import type { createDevices } from './devices.ts';
import { latestEvents } from './events/event-store.ts';
import { gatewayFacts } from './gateways/gateway-facts.ts';
import { withRadios } from './lists/ap-rows.ts';
import { attention } from './lists/attention.ts';
import type { Chosen } from './lists/chosen.ts';
import { deviceDetail, listDevices, listWaiting } from './lists/device-list.ts';
import { deviceTerms, type ListFacts, networkTerms } from './lists/list-facts.ts';
import { listNetworks, networkRows, withOthers } from './lists/network-list.ts';
import type { createNetworks } from './networks.ts';
import { type DeviceServer, onboarding } from './placement/onboarding.ts';
import { portsOf, uplinkAddress } from './report.ts';
import type { createAgentUpgrades } from './restarts/agent-upgrade.ts';
import type { createReboots } from './restarts/reboot.ts';

export interface FleetRoutesDeps {
  database: Database;
  clock: Clock;
  networks: ReturnType<typeof createNetworks>;
  devices: ReturnType<typeof createDevices>;
  reboots: ReturnType<typeof createReboots>;
  upgrades: ReturnType<typeof createAgentUpgrades>;
  deviceServer(): DeviceServer;
  chosen: Chosen;
  facts: ListFacts;
}

type DeviceRow = DataOf<typeof contract.apUpdate>;

const eventsShown = 20;

const whenOf = (input: { queue?: boolean | undefined; start_at?: string | undefined }) => ({
  queue: input.queue,
  startAt: input.start_at === undefined ? undefined : new Date(input.start_at),
});

export function fleetRoutes(deps: FleetRoutesDeps): Route[] {
  const { chosen, clock, database, devices, facts, networks, reboots, upgrades } = deps;

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

  /** Includes settings only if the caller may read them. */
  async function full(tx: Tx, accountId: string, { actor }: Identity, rows: readonly DeviceRow[]) {
    const reported = await withRadios(facts, tx, accountId, clock.now(), rows);
    if (!allows(actor, 'config.read')) return reported.map((row) => ({ ...row, settings: null }));
    const placed = rows.map(({ serial, gwid, group }) => ({ serial, gwid, groupId: group?.id ?? null }));
    const inForce = await facts.settingsInForce(tx, accountId, placed);
    return reported.map((row) => ({ ...row, settings: inForce.get(row.serial) ?? null }));
  }

  return implement(contract, {
    async networkList({ tx, acting, input }) {
      const { accountId } = acting;
      const more = await networkTerms(facts, tx, accountId, clock.now(), input);
      const { list, total } = await listNetworks(tx, accountId, clock.now(), input, more);
      return { list: await withOthers(facts, tx, accountId, clock.now(), list), total };
    },
    async networkDetail({ tx, acting, input }) {
      const row = await network(tx, acting.accountId, input.gwid);
      const [listed] = await withOthers(facts, tx, acting.accountId, clock.now(), [row]);
      return { ...listed!, ...(await gatewayFacts(tx, acting.accountId, row.has_gateway ? row.sn : null)) };
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
    async networkReboot({ tx, acting, input }) {
      const gwids = await chosen.networks(tx, acting.accountId, input);
      return reboots.networks(tx, acting, gwids, whenOf(input));
    },
    deviceUnbind: ({ acting, input }) => networks.unbindDevices(acting, [input.serial]),
    waitingList: ({ tx, acting, input }) => listWaiting(tx, acting.accountId, clock.now(), input),
    async adopt({ tx, acting, input }) {
      await devices.adopt(tx, acting, input.serial, input.gwid);
      return device(tx, acting.accountId, input.serial);
    },
    async deviceRefresh({ inTenant, acting, input }) {
      await devices.refresh(inTenant, acting, input.serial);
      return {};
    },
    async apList({ tx, acting, identity, input }) {
      const more = await deviceTerms(facts, tx, acting.accountId, input);
      const { list, total } = await listDevices(tx, acting.accountId, clock.now(), input, more);
      return { list: await full(tx, acting.accountId, identity, list), total };
    },
    async apDetail({ tx, acting, identity, input }) {
      const row = await device(tx, acting.accountId, input.serial);
      const [listed] = await full(tx, acting.accountId, identity, [row]);
      return { ...row, ...listed!, ...(await detailOf(tx, acting.accountId, row.serial, clock.now())) };
    },
    async sharedCertificateDecide({ tx, acting, input }) {
      await devices.decideShared(tx, acting, input.serial, input.decision, clock.now());
      return {};
    },
    async apUpdate({ tx, acting, input }) {
      await devices.rename(tx, acting, input.serial, input.remark);
      return device(tx, acting.accountId, input.serial);
    },
    agentUpgradePreview: ({ tx, acting, input }) => upgrades.preview(tx, acting.accountId, input.serials),
    agentUpgrade: ({ tx, acting, input }) => upgrades.start(tx, acting, input.serials),
    async apReboot({ tx, acting, input }) {
      const serials = await chosen.devices(tx, acting.accountId, input);
      return reboots.devices(tx, acting, serials, whenOf(input));
    },
    async apBlink({ inTenant, acting, input }) {
      await devices.blink(inTenant, acting, input.serial, input.seconds);
      return {};
    },
    onboarding: ({ tx, acting, caller }) => onboarding(tx, database, deps.deviceServer(), acting.accountId, caller.ip),
    attention: ({ tx, acting, identity }) =>
      attention(tx, acting.accountId, clock.now(), allows(identity.actor, 'job.read')),
  });
}

async function detailOf(tx: Tx, accountId: string, serial: string, now: Date) {
  const shared = await sharedCertificate(tx, { accountId, serial }, now);
  const report = await readLatestState(tx, { accountId, serial });
  const state = asRecord<State>(report?.params.state);
  const events = await latestEvents(tx, accountId, serial, eventsShown);
  return {
    ...(await gatewayFacts(tx, accountId, serial)),
    certificate_conflict: shared && { ...shared, since: shared.since.toISOString(), at: shared.at.toISOString() },
    lan_ip: uplinkAddress(state),
    ports: portsOf(state),
    events: events.map((event) => ({ at: event.at.toISOString(), type: event.type, payload: event.payload })),
  };
}
