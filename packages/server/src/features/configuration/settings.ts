import { backup, configuration } from '@yunxun/contract';
import type { Capabilities } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { compileInput } from '../../platform/http/validate.ts';
import { groupNames } from '../fleet/groups.ts';
import { devicesOfNetwork, devicesOfNetworks, type ManagedDevice, managedDevices } from '../fleet/managed-devices.ts';
import type { ChangeRegistry } from './changes.ts';
import { canonical, fingerprint, maySend, noIntent, noOverride, type Ssid } from './compile/index.ts';
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
import { readLayers } from './layers/store.ts';
import { followNewcomers } from './newcomers.ts';
import type { Planner } from './planner.ts';
import type { Previews } from './previews.ts';
import type { Rollout } from './rollout.ts';
import { goneTemplates, readTemplates, templatedPlaces, writeTemplates } from './settings-templates.ts';
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

/** What is meant of a network, and a word that changes with every save of it. */
export interface NetworkSettings {
  content: Content;
  /** Whether anything was ever set. */
  any: boolean;
  base: string;
  /** The gateway under our own agent, whose ports the settings name; null where there is none. */
  gateway: ManagedDevice | null;
  ports: string[];
  /** Bands that its devices have radios for; empty while none of them ever said so. */
  bands: configuration.Band[];
  devices: readonly ManagedDevice[];
}

/** Sections to be put in force; a missing one stays as it is. */
export type SettingsParts = Partial<Content>;

const checkContent = compileInput(backup.BackupContent);

/** @throws Invalid when something is no content of a backup */
export function readContent(given: unknown): Content {
  const content = checkContent(given) as Content;
  if (content.wireless) wirelessOf(content.wireless);
  if (content.gateway) checkGateway(content.gateway);
  for (const device of content.devices) checkOverride(overrideOf(device));
  return content;
}

/** The settings of networks as a whole: read for backups, and put back. */
export function createSettings({ keys, clock, planner, rollout, previews, changes }: SettingsDeps) {
  /** Reads of several networks at once, in as many statements as of one. */
  async function readAll(
    tx: Tx,
    accountId: string,
    gwids: readonly string[],
  ): Promise<(gwid: string) => NetworkSettings> {
    const intents = await readIntents(tx, keys, accountId, gwids);
    const gateways = await readGateways(tx, accountId, gwids);
    const devicesOf = new Map(gwids.map((gwid): [string, ManagedDevice[]] => [gwid, []]));
    for (const device of await devicesOfNetworks(tx, accountId, gwids, clock.now()))
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
        const { radios, ssids_off, lan_address } = override;
        return [{ serial, name, kind, radios: [...radios], ssids_off: [...ssids_off], lan_address }];
      });
      const templates = templatesOf(gwid);
      const content: Content = {
        format: 1,
        wireless: wireless ? { ...wireless.value, ...mutable(wireless.value) } : null,
        gateway: gateway?.value ?? null,
        devices: own,
        templates,
      };
      const box = devices.find(takesGatewaySettings) ?? null;
      return {
        content,
        any: wireless !== undefined || gateway !== undefined || own.length > 0 || templates.length > 0,
        base: fingerprint({
          wireless: wireless?.version ?? 0,
          gateway: gateway?.version ?? 0,
          own: own.map(plain),
          templates,
        } as never),
        gateway: box,
        ports: portsOf(box ?? undefined),
        bands: bandsOf(devices),
        devices,
      };
    };
  }

  /** Writes the given sections where they differ. @throws Invalid, or Failure unsupported when the gateway cannot hold them */
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
      const override = overrideOf(device);
      checkOverride(override);
      const { serial } = device;
      const current = await readOverride(tx, accountId, serial);
      if (canonical(current.value) !== canonical(override))
        mustBe(await writeOverride(tx, { accountId, serial, over: current.version, override, at, by }));
    }
  }

  return {
    readAll,

    read: async (tx: Tx, accountId: string, gwid: string): Promise<NetworkSettings> =>
      (await readAll(tx, accountId, [gwid]))(gwid),

    /** Those of a backup's templates that are no longer there. */
    goneTemplates,

    /** Groups whose settings hold for some of these devices, by name; they are theirs, and no network's. */
    async groupSettings(tx: Tx, accountId: string, devices: readonly ManagedDevice[]) {
      const ids = [...new Set(devices.flatMap(({ groupId }) => groupId ?? []))];
      const layers = await readLayers(tx, keys, accountId, { versions: [], groups: ids });
      const names = await groupNames(tx, accountId, ids);
      return ids
        .filter((id) => layers.has(id))
        .map((id) => ({
          name: names.get(id) ?? id,
          devices: devices.filter(({ groupId }) => groupId === id).length,
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },

    /** The networks of which anything was ever set. */
    async configured(tx: Tx, accountId: string): Promise<string[]> {
      const templated = await templatedPlaces(tx, accountId);
      const serials = [...new Set([...(await overriddenDevices(tx, accountId)), ...templated.serials])];
      const devices = await managedDevices(tx, accountId, serials, clock.now());
      const own = devices.flatMap(({ gwid }) => (gwid ? [gwid] : []));
      const gateways = await gatewayNetworks(tx, accountId);
      return [
        ...new Set([...(await configuredNetworks(tx, accountId)), ...gateways, ...templated.gwids, ...own]),
      ].toSorted();
    },

    /**
     * Puts settings in force and says what that changes on each device. The caller rolls the transaction back: what is
     * shown is what a restore does, to the letter.
     * @throws Invalid
     */
    async tryOut(tx: Tx, acting: Acting, gwid: string, parts: SettingsParts) {
      const { accountId } = acting;
      const devices = await devicesOfNetwork(tx, accountId, gwid, clock.now());
      await write(tx, acting, gwid, parts, devices);
      return previews(tx, accountId, devices, await planner.compiler(tx, accountId, devices));
    },

    /**
     * Puts settings in force, and starts the job that brings them to the devices; there is none where no device is.
     * @throws Invalid, or Failure unsupported when the gateway cannot hold them
     */
    async restore(tx: Tx, acting: Acting, gwid: string, parts: SettingsParts): Promise<{ jobId: string | null }> {
      const { accountId } = acting;
      const devices = await devicesOfNetwork(tx, accountId, gwid, clock.now());
      await changes.before(tx, acting, { gwids: [gwid], cause: 'restored' });
      await write(tx, acting, gwid, parts, devices);
      const compile = await planner.compiler(tx, accountId, devices);
      for (const device of devices.filter(takesGatewaySettings)) {
        const compiled = compile(device);
        const findings = compiled.findings.filter(({ severity }) => severity === 'wrong');
        if (!maySend(compiled)) throw new Failure('unsupported', { data: { findings } });
      }
      const wish = { cause: 'restored' as const, author: acting.actor?.name ?? acting.source };
      const jobId = await rollout.start(tx, acting, devices, wish);
      await followNewcomers(tx, { accountId, place: { gwids: [gwid] }, jobId });
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
  const held = given.ssids.flatMap(({ id, key, ...ssid }): Ssid[] =>
    id === undefined ? [] : [{ ...ssid, id, key: key ?? null }],
  );
  return completeIntent({ ...noIntent, ssids: held }, given);
}

function overrideOf({ radios, ssids_off, lan_address }: DeviceSettings) {
  return { radios, ssids_off, lan_address };
}

/** What of a device's settings tells one save from another. */
function plain({ name: _name, ...settings }: DeviceSettings): object {
  return settings;
}

function mutable({ ssids, radios }: { ssids: readonly Ssid[]; radios: readonly configuration.RadioSettings[] }) {
  return {
    ssids: ssids.map(({ key, bands, ...ssid }) => ({ ...ssid, bands: [...bands], ...(key !== null && { key }) })),
    radios: [...radios],
  };
}

function mustBe(fresh: boolean): void {
  if (!fresh) throw new Failure('changedMeanwhile');
}
