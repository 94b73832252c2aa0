import { backup, configuration } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { compileInput } from '../../platform/http/validate.ts';
import { deviceGroups, fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import type { ChangeRegistry } from './changes.ts';
import { canonical, fingerprint, lastingErrors, noIntent, noOverride, type Ssid } from './compile/index.ts';
import { bandsOfDevice } from './compile/radio-facts.ts';
import { checkGateway } from './gateway-check.ts';
import { portsOf, takesGatewaySettings } from './gateway-facts.ts';
import { gatewayNetworks, readGateway, readGateways, writeGateway } from './gateway-store.ts';
import {
  configuredNetworks,
  overriddenDevices,
  readIntent,
  readIntents,
  readOverride,
  readOverrides,
  writeIntent,
  writeOverride,
} from './intent-store.ts';
import { enqueueLateEnrolmentReconcile } from './late-enrolment.ts';
import { readLayers } from './layers/template-store.ts';
import type { Planner } from './planner.ts';
import type { Previews } from './previews.ts';
import type { Rollout } from './rollout.ts';
import { findDeletedTemplates, readTemplates, scopesWithTemplates, writeTemplates } from './settings-templates.ts';
import { ssidInput } from './ssid-secrets.ts';
import { checkOverride, completeIntent } from './validate.ts';

type Content = backup.BackupContent;
type DeviceSettings = Content['devices'][number];

export interface SettingsDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
  previews: Previews;
  changes: ChangeRegistry;
}

export interface NetworkSettings {
  content: Content;
  any: boolean;
  base: string;
  gateway: ManagedDevice | null;
  ports: string[];
  /** Empty before any radio is reported. */
  bands: configuration.Band[];
  devices: readonly ManagedDevice[];
}

/** Missing sections stay. */
export type SettingsParts = Partial<Content>;

// older backups have obsolete fields
const checkContent = compileInput(backup.BackupContent, 'ignored');

/** @throws Invalid */
function readContent(given: unknown): Content {
  const content = checkContent(given) as Content;
  if (content.wireless) wirelessOf(content.wireless);
  if (content.gateway) checkGateway(content.gateway);
  for (const device of content.devices) checkOverride(overrideOf(device));
  return content;
}

export function createSettings({ keys, clock, planner, rollout, previews, changes }: SettingsDeps) {
  /** Uses a constant number of statements. */
  async function readAll(
    tx: Tx,
    accountId: string,
    gwids: readonly string[],
  ): Promise<(gwid: string) => NetworkSettings> {
    const intents = await readIntents(tx, keys, accountId, gwids);
    const gateways = await readGateways(tx, accountId, gwids);
    const devicesOf = new Map(gwids.map((gwid): [string, ManagedDevice[]] => [gwid, []]));
    for (const device of await fleetDevices.ofNetworks(tx, accountId, gwids, clock.now()))
      devicesOf.get(device.gwid ?? '')?.push(device);
    const networks = [...devicesOf].map(([gwid, devices]) => ({ gwid, serials: devices.map(({ serial }) => serial) }));
    const serials = networks.flatMap((network) => network.serials);
    const overrides = await readOverrides(tx, accountId, serials);
    const templatesOf = await readTemplates(tx, accountId, networks);
    return (gwid) => {
      const [wireless, gateway] = [intents.get(gwid), gateways.get(gwid)];
      const devices = devicesOf.get(gwid) ?? [];
      const own = devices.flatMap(({ serial, name, kind }): DeviceSettings[] => {
        const override = overrides.get(serial);
        if (!override || canonical(override) === canonical(noOverride)) return [];
        const { radios, ssids_off, lan_address, ports } = override;
        const own = { radios: [...radios], ssids_off: [...ssids_off], lan_address };
        return [{ serial, name, kind, ...own, ...(ports && { ports: [...ports] }) }];
      });
      const templates = templatesOf(gwid);
      const content: Content = {
        format: 1,
        wireless: wireless ? { ...wireless.value, ...mutable(wireless.value) } : null,
        gateway: gateway?.value ?? null,
        devices: own,
        templates,
      };
      const gatewayHost = devices.find(takesGatewaySettings) ?? null;
      return {
        content,
        any: wireless !== undefined || gateway !== undefined || own.length > 0 || templates.length > 0,
        base: fingerprint({
          wireless: wireless?.version ?? 0,
          gateway: gateway?.version ?? 0,
          own: own.map(plain),
          templates,
        } as never),
        gateway: gatewayHost,
        ports: portsOf(gatewayHost ?? undefined),
        bands: bandsOf(devices),
        devices,
      };
    };
  }

  /** @throws Invalid; Failure unsupported */
  async function write(tx: Tx, acting: Acting, gwid: string, parts: SettingsParts, devices: readonly ManagedDevice[]) {
    const { accountId } = acting;
    const [at, by] = [clock.now(), acting.actor?.name ?? acting.source];
    if (parts.wireless) {
      const intent = wirelessOf(parts.wireless);
      const current = await readIntent(tx, keys, accountId, gwid, true);
      if (canonical(current.value) !== canonical(intent))
        mustBe(await writeIntent(tx, keys, { accountId, gwid, over: current.version, intent, at, by }));
    }
    if (parts.gateway) {
      checkGateway(parts.gateway);
      const current = await readGateway(tx, accountId, gwid, true);
      if (canonical(current.value) !== canonical(parts.gateway))
        mustBe(await writeGateway(tx, { accountId, gwid, over: current.version, intent: parts.gateway, at, by }));
    }
    const serials = devices.map(({ serial }) => serial);
    if (parts.templates) await writeTemplates(tx, accountId, gwid, serials, parts.templates);
    const known = new Set(serials);
    for (const device of parts.devices ?? []) {
      if (!known.has(device.serial)) continue;
      const { serial } = device;
      const current = await readOverride(tx, accountId, serial);
      // older backups lack ports
      const override = { ...current.value, ...overrideOf(device) };
      checkOverride(override);
      if (canonical(current.value) !== canonical(override))
        mustBe(await writeOverride(tx, { accountId, serial, over: current.version, override, at, by }));
    }
  }

  return {
    readAll,
    readContent,

    read: async (tx: Tx, accountId: string, gwid: string): Promise<NetworkSettings> =>
      (await readAll(tx, accountId, [gwid]))(gwid),

    goneTemplates: findDeletedTemplates,

    /** Groups that apply to the devices; backups exclude them. */
    async groupSettings(tx: Tx, accountId: string, devices: readonly ManagedDevice[]) {
      const ids = [...new Set(devices.flatMap(({ groupId }) => groupId ?? []))];
      const layers = await readLayers(tx, keys, accountId, { versions: [], groups: ids });
      const names = await deviceGroups.names(tx, accountId, ids);
      return ids
        .filter((id) => layers.has(id))
        .map((id) => ({
          name: names.get(id) ?? id,
          devices: devices.filter(({ groupId }) => groupId === id).length,
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    async configured(tx: Tx, accountId: string): Promise<string[]> {
      const templated = await scopesWithTemplates(tx, accountId);
      const serials = [...new Set([...(await overriddenDevices(tx, accountId)), ...templated.serials])];
      const devices = await fleetDevices.managed(tx, accountId, serials, clock.now());
      const own = devices.flatMap(({ gwid }) => (gwid ? [gwid] : []));
      const gateways = await gatewayNetworks(tx, accountId);
      return [
        ...new Set([...(await configuredNetworks(tx, accountId)), ...gateways, ...templated.gwids, ...own]),
      ].toSorted();
    },

    /**
     * Restores within a transaction that the caller rolls back: the preview equals a restore.
     * @throws Invalid
     */
    async tryOut(tx: Tx, acting: Acting, gwid: string, parts: SettingsParts) {
      const { accountId } = acting;
      const devices = await fleetDevices.ofNetwork(tx, accountId, gwid, clock.now());
      await write(tx, acting, gwid, parts, devices);
      return previews(tx, accountId, devices, await planner.compiler(tx, accountId, devices));
    },

    /**
     * Creates a job unless there are no devices.
     * @throws Invalid; Failure unsupported
     */
    async restore(tx: Tx, acting: Acting, gwid: string, parts: SettingsParts): Promise<{ jobId: string | null }> {
      const { accountId } = acting;
      const devices = await fleetDevices.ofNetwork(tx, accountId, gwid, clock.now());
      await changes.before(tx, acting, { gwids: [gwid], cause: 'restored' });
      await write(tx, acting, gwid, parts, devices);
      const compile = await planner.compiler(tx, accountId, devices);
      for (const device of devices.filter(takesGatewaySettings)) {
        const findings = lastingErrors(compile(device));
        if (findings.length > 0) throw new Failure('unsupported', { data: { findings } });
      }
      const reason = { cause: 'restored' as const, author: acting.actor?.name ?? acting.source };
      const jobId = await rollout.start(tx, acting, devices, reason);
      await enqueueLateEnrolmentReconcile(tx, { accountId, place: { gwids: [gwid] }, jobId });
      return { jobId };
    },
  };
}

export type Settings = ReturnType<typeof createSettings>;

function bandsOf(devices: readonly ManagedDevice[]): configuration.Band[] {
  const found = new Set(devices.flatMap(({ capabilities }) => [...bandsOfDevice(capabilities as Capabilities | null)]));
  return configuration.bands.filter((band) => found.has(band));
}

function wirelessOf(given: NonNullable<Content['wireless']>) {
  const ids = given.ssids.flatMap(({ id }) => id ?? []);
  return completeIntent(noIntent, given, new Set(ids));
}

function overrideOf({ radios, ssids_off, lan_address, ports }: DeviceSettings) {
  return { radios, ssids_off, lan_address, ...(ports && { ports }) };
}

function plain({ name: _name, ...settings }: DeviceSettings): object {
  return settings;
}

function mutable({ ssids, radios }: { ssids: readonly Ssid[]; radios: readonly configuration.RadioSettings[] }) {
  return {
    ssids: ssids.map(ssidInput),
    radios: [...radios],
  };
}

function mustBe(fresh: boolean): void {
  if (!fresh) throw new Failure('changedMeanwhile');
}
