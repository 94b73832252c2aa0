import { type DataOf, type InputOf, type layers, switches } from '@yunxun/contract';
import { asRecord, type State } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { powerBudget, switchPorts } from '../../telemetry/extract/switch-ports.ts';
import { portSamples, stationFacts } from '../../telemetry/read/index.ts';
import { deviceGroups, fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { portPlaces } from '../topology/index.ts';
import type { ChangeRegistry } from './changes.ts';
import {
  type DeviceOverride,
  type Finding,
  networkVlans,
  type PortFacts,
  portsInForce,
  ruleFor,
} from './compile/index.ts';
import { readOverride, writeOverride } from './intent-store.ts';
import type { Planner } from './planner.ts';
import { noteCycle, readCycles, readPorts } from './port-store.ts';
import type { PreviewDeps, Previews } from './previews.ts';
import type { Rollout } from './rollout.ts';
import { cycleGate, portRows } from './switch-view.ts';
import { checkPorts } from './validate.ts';

type Contract = typeof switches;
type PortSettings = switches.PortSettings;

const noRules: layers.Source = { layer: 'default', id: '', name: '', locked: false };
const savePath = '/api/v3/switch/port/save';

export interface SwitchDeps {
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  previews: Previews;
  changes: Pick<ChangeRegistry, 'before'>;
  latestState: PreviewDeps['latestState'];
}

export function createSwitches({ clock, planner, rollout, previews, changes, latestState }: SwitchDeps) {
  async function need(tx: Tx, accountId: string, serial: string): Promise<ManagedDevice> {
    const device = await fleetDevices.find(tx, accountId, serial, clock.now());
    if (!device) throw new Failure('notFound');
    if (device.kind !== 'switch') throw new Failure('unsupported', { data: { reason: 'not_switch' } });
    return device;
  }

  async function seen(tx: Tx, device: ManagedDevice) {
    const report = await latestState(tx, device);
    const state = asRecord<State>(report?.params.state);
    const near = device.gwid ? await fleetDevices.ofNetwork(tx, device.accountId, device.gwid, clock.now()) : [];
    const devices = near.filter(({ serial }) => serial !== device.serial);
    return { at: report?.at ?? null, ports: switchPorts(state), power: powerBudget(state), devices };
  }

  async function ports(tx: Tx, accountId: string, serial: string): Promise<DataOf<Contract['switchPorts']>> {
    const device = await need(tx, accountId, serial);
    const { at, ports: reported, power, devices } = await seen(tx, device);
    const { version, value } = await readOverride(tx, accountId, serial);
    const { network, override, general, sources } = await planner.layeredOf(tx, device);
    const vlans = networkVlans(network);
    const listed = switches.switchLimits.listedClients;
    const macs = [...new Set(reported.flatMap((port) => port.macs.slice(0, listed).map(({ mac }) => mac)))];
    const day = clock.now().toISOString().slice(0, 10);
    const rows = portRows({
      ports: reported,
      devices,
      vlans,
      own: value.ports ?? [],
      free: override.ports ?? [],
      rules: { all: general.ports ?? [], source: await sourceOf(tx, device, sources.get('general.ports')) },
      facts: await factsOf(tx, device),
      stations: await stationFacts(tx, accountId, { macs, gwids: null, day }),
      cycles: await readCycles(tx, device),
      samples: await portSamples(tx, accountId, serial),
    });
    return { serial, status: device.status, as_of: at?.toISOString() ?? null, version, vlans, poe: power, ports: rows };
  }

  async function factsOf(tx: Tx, { accountId, serial }: ManagedDevice): Promise<PortFacts[]> {
    return (await readPorts(tx, accountId, [serial])).get(serial) ?? [];
  }

  async function sourceOf(tx: Tx, { accountId }: ManagedDevice, source: layers.Source = noRules) {
    if (source.layer !== 'group') return source;
    return { ...source, name: (await deviceGroups.names(tx, accountId, [source.id])).get(source.id) ?? '' };
  }

  /** Keeps default values only where a template differs. */
  async function ownOf(tx: Tx, device: ManagedDevice, given: readonly PortSettings[]): Promise<PortSettings[]> {
    const rules = (await planner.layeredOf(tx, device)).general.ports ?? [];
    const plain = (port: PortSettings) => JSON.stringify({ ...switches.usualPort(port.port), ...port });
    return given
      .filter((port) => ruleFor(rules, port.port) || plain(port) !== plain(switches.usualPort(port.port)))
      .toSorted((a, b) => Number(a.port.slice(8)) - Number(b.port.slice(8)));
  }

  /** Settings that would disconnect the switch. */
  async function wrongOf(tx: Tx, device: ManagedDevice, given: readonly PortSettings[]): Promise<Finding[]> {
    const uplinks = new Set((await factsOf(tx, device)).flatMap(({ name, uplink }) => (uplink ? [name] : [])));
    return given.flatMap(({ port, enabled, vlan }): Finding[] => {
      const cut = uplinks.has(port) && (!enabled || vlan !== switches.usualPort(port).vlan);
      return cut ? [{ severity: 'wrong', code: 'port_is_uplink', field: 'ports', params: { port } }] : [];
    });
  }

  return {
    ports,

    async find(
      tx: Tx,
      accountId: string,
      { gwid, mac }: InputOf<Contract['switchPortFind']>,
    ): Promise<DataOf<Contract['switchPortFind']>> {
      const places = await portPlaces(tx, { accountId, gwid, now: clock.now(), macs: new Set([mac]) });
      const place = places.get(mac);
      if (!place) return { found: null };
      const { status, as_of, ports: rows } = await ports(tx, accountId, place.serial);
      const port = rows.find((row) => row.port === place.port);
      if (!port) return { found: null };
      const device = await need(tx, accountId, place.serial);
      return { found: { serial: place.serial, name: device.name, status, as_of, port } };
    },

    /** @throws Invalid */
    async preview(
      tx: Tx,
      accountId: string,
      { serial, ports: given }: InputOf<Contract['switchPortPreview']>,
    ): Promise<DataOf<Contract['switchPortPreview']>> {
      checkPorts(given);
      const device = await need(tx, accountId, serial);
      const { value } = await readOverride(tx, accountId, serial);
      const overrides = new Map([[serial, { ...value, ports: await ownOf(tx, device, given) }]]);
      const compile = await planner.compiler(tx, accountId, [device], { overrides });
      const answer = await previews(tx, accountId, [device], compile);
      const wrong = await wrongOf(tx, device, given);
      if (wrong.length === 0) return answer;
      const devices = answer.devices.map((one) => ({
        ...one,
        effect: 'wrong' as const,
        terminals: 0,
        findings: [...wrong, ...one.findings],
      }));
      return { devices, totals: { ...answer.totals, changed: 0, wrong: devices.length, terminals: 0 }, drops: [] };
    },

    /** @throws Failure changedMeanwhile, unsupported if it would disconnect; Invalid */
    async save(
      tx: Tx,
      acting: Acting,
      { serial, version: over, ports: given }: InputOf<Contract['switchPortSave']>,
    ): Promise<DataOf<Contract['switchPortSave']>> {
      const { accountId } = acting;
      checkPorts(given);
      const device = await need(tx, accountId, serial);
      const findings = await wrongOf(tx, device, given);
      if (findings.length > 0) throw new Failure('unsupported', { data: { findings } });
      const current = await readOverride(tx, accountId, serial);
      const by = acting.actor?.name ?? acting.source;
      if (current.version === over && device.gwid)
        await changes.before(tx, acting, { gwids: [device.gwid], cause: 'ports_saved' });
      const own = await ownOf(tx, device, given);
      const override: DeviceOverride = { ...current.value, ports: own };
      const saved = { accountId, serial, over, override, at: clock.now(), by };
      if (current.version !== over || !(await writeOverride(tx, saved)))
        throw new Failure('changedMeanwhile', { data: { version: current.version, updated_by: current.updatedBy } });
      const jobId = await rollout.start(tx, acting, [device], { cause: 'ports_saved', author: by });
      if (jobId === null) throw new Failure('notFound');
      const version = over + 1;
      const before = current.value.ports ?? [];
      await record(tx, acting, {
        action: 'device.ports.save',
        object: { type: 'device', id: serial, name: device.name },
        gwid: device.gwid,
        before: byPort(before),
        after: byPort(own),
        inverse: { path: savePath, input: { serial, version, ports: before } },
        jobId,
      });
      return { job_id: jobId, version };
    },

    /**
     * Uses a document with `do-reset`: the client has no such command, but answers Success.
     * @throws Failure deviceOffline; unsupported without PoE or for an uplink
     */
    async cycle(
      tx: Tx,
      acting: Acting,
      { serial, port }: InputOf<Contract['switchPortCycle']>,
      cause: { peripheral?: string } = {},
    ): Promise<DataOf<Contract['switchPortCycle']>> {
      const { accountId } = acting;
      const device = await need(tx, accountId, serial);
      const all = await factsOf(tx, device);
      const facts = all.find(({ name }) => name === port);
      const { override, general } = await planner.layeredOf(tx, device);
      const settings = portsInForce(all, general.ports ?? [], override.ports ?? []).get(port)?.settings;
      const gate = facts && settings ? cycleGate(facts, settings) : 'no_report';
      if (gate) throw new Failure('unsupported', { data: { reason: gate } });
      if (device.onlineSince === null)
        throw new Failure('deviceOffline', { data: { queue_allowed: false }, params: { action: 'command' } });
      const author = acting.actor?.name ?? acting.source;
      const unsaved = { cycled: new Map([[serial, [port]]]) };
      const jobId = await rollout.start(tx, acting, [device], { cause: 'port_cycled', author }, unsaved);
      if (jobId === null) throw new Failure('notFound');
      await noteCycle(tx, { accountId, serial, port }, clock.now());
      await record(tx, acting, {
        action: 'device.port.cycle',
        object: { type: 'device', id: serial, name: device.name },
        gwid: device.gwid,
        after: { port, ...cause },
        command: true,
        jobId,
      });
      return { job_id: jobId };
    },
  };
}

function byPort(ports: readonly PortSettings[]): Record<string, Omit<PortSettings, 'port'>> {
  return Object.fromEntries(ports.map(({ port, ...settings }) => [port, settings]));
}
