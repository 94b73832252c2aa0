import type { Capabilities, EdgeCaptive, EdgeSdwan, EdgeShield } from '@yunxun/contract/device';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/index.ts';
import type { BlockedIn } from './block-hold-store.ts';
import { withCaptive } from './captive-section.ts';
import {
  awaitsReport,
  type Compiled,
  canonical,
  compile,
  type DeviceOverride,
  fingerprint,
  type GatewayIntent,
  type GuestGate,
  maySend,
  noIntent,
  noOverride,
  type UcentralDocument,
  type WirelessIntent,
  withoutEmptyLists,
  withoutSpeeds,
} from './compile/index.ts';
import { defaultLan } from './compile/lan.ts';
import { ConfigSession } from './config-session.ts';
import { firstVersions, readContacts } from './first-contact/contact-store.ts';
import { type GatewayReportDeps, readGatewayReports } from './gateway-reports.ts';
import { readGateways } from './gateway-store.ts';
import { readOverrides } from './intent-store.ts';
import { type MergedSettings, mergeLayers } from './layers/merge-layers.ts';
import { type IntendedLayers, readLayersOf } from './layers/reader.ts';
import { readPorts } from './port-store.ts';
import { withSdwan } from './sdwan-section.ts';
import { withShield } from './shield-section.ts';
import { decideStage, type StageOutcome } from './stage-decision.ts';
import { readTxPowerCaps } from './tx-power-cap-store.ts';
import { readDocument, readDocuments, versionName } from './version-store.ts';

export type { StageOutcome } from './stage-decision.ts';

/** Key below `config.cause.`. */
export interface PushReason {
  cause:
    | 'wireless_saved'
    | 'gateway_saved'
    | 'override_saved'
    | 'ports_saved'
    | 'port_cycled'
    | 'ports_reported'
    | 'restored'
    | 'template_pushed'
    | 'template_taken_back'
    | 'template_taken_off'
    | 'group_saved'
    | 'password_changed'
    | 'users_listed'
    | 'sdwan_saved'
    | 'sdwan_deployed'
    | 'shield_saved'
    | 'shield_lists_changed'
    | 'portal_saved'
    | 'retry'
    | 'device_joined'
    | 'device_changed'
    | 'device_reset'
    | 'first_contact';
  author: string;
}

/** Causes that name a single device. */
const askedFor: ReadonlySet<PushReason['cause']> = new Set([
  'gateway_saved',
  'override_saved',
  'ports_saved',
  'port_cycled',
  'restored',
  'retry',
  'template_pushed',
  'template_taken_back',
  'template_taken_off',
  'sdwan_saved',
  'sdwan_deployed',
  'shield_saved',
  'portal_saved',
]);

/** Unsaved settings instead of current ones. */
export interface UnsavedSettings extends IntendedLayers {
  gateway?: GatewayIntent;
  blocked?: BlockedIn;
  overrides?: ReadonlyMap<string, DeviceOverride>;
  cycled?: ReadonlyMap<string, readonly string[]>;
  /** By network; null: no sign-in at its access points. */
  gates?: ReadonlyMap<string, GuestGate | null>;
}

export type Planner = ReturnType<typeof createPlanner>;

export interface PlannerDeps {
  keys: AccountKeys;
  clock: Clock;
  bus: Bus;
  latestStates: GatewayReportDeps['latestStates'];
  blockedTerminals(tx: Tx, accountId: string): Promise<BlockedIn>;
  sdwanOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, readonly EdgeSdwan[]>>;
  shieldOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, EdgeShield>>;
  captiveOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, EdgeCaptive>>;
  /** Of access points. */
  guestGatesOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, GuestGate>>;
  passwords(tx: Tx, accountId: string): Promise<(gwid: string, ssid: string) => string | null>;
}

export function createPlanner(deps: PlannerDeps) {
  const { keys, clock, bus, blockedTerminals, sdwanOf, shieldOf, captiveOf, guestGatesOf, passwords } = deps;
  async function compiler(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    unsaved: UnsavedSettings = {},
  ): Promise<(device: ManagedDevice, network?: WirelessIntent) => Compiled> {
    const serials = devices.map(({ serial }) => serial);
    const overrides = await readOverrides(tx, accountId, serials);
    const reaches = await readTxPowerCaps(tx, accountId, serials);
    const blockedIn = unsaved.blocked ?? (await blockedTerminals(tx, accountId));
    const ports = await readPorts(tx, accountId, serials);
    const passwordOf = await passwords(tx, accountId);
    const gwids = new Set(devices.flatMap(({ gwid, routes }) => (routes && gwid ? [gwid] : [])));
    const gateways = unsaved.gateway ? null : await readGateways(tx, accountId, [...gwids]);
    const tunnels = await sdwanOf(tx, accountId, [...gwids]);
    const shields = await shieldOf(tx, accountId, [...gwids]);
    const captives = await captiveOf(tx, accountId, [...gwids]);
    const places = new Set(devices.flatMap(({ gwid }) => gwid ?? []));
    const gates = unsaved.gates ?? (await guestGatesOf(tx, accountId, [...places]));
    const layersOf = await readLayersOf(tx, keys, accountId, devices, unsaved);
    const contacts = await readContacts(tx, accountId, serials);
    const reports = await readGatewayReports(tx, deps, accountId, devices);
    const bare = devices.filter(
      (device) => !saysAnything(overrides.get(device.serial)) && layersOf(device).length === 0,
    );
    const firstOf = await firstDocuments(
      tx,
      accountId,
      bare.map(({ serial }) => serial),
    );
    return (device, intent) => {
      const { serial, gwid, name, kind, routes } = device;
      const sdwan = (routes && gwid && tunnels.get(gwid)) || [];
      const shield = (routes && gwid && shields.get(gwid)) || null;
      const capabilities = device.capabilities as Capabilities | null;
      const captive = (routes && gwid && captives.get(gwid)) || null;
      const complete = (compiled: Compiled) =>
        withCaptive(withShield(withSdwan(compiled, sdwan), shield, capabilities), captive, capabilities);
      const first = firstOf.get(serial);
      // no settings: the first document stays
      if (first && layersOf(device, intent).length === 0) return complete({ document: first, findings: [] });
      const gateway = unsaved.gateway ?? (gwid ? (gateways?.get(gwid)?.value ?? null) : null);
      const reported = { reach: reaches.get(serial) ?? {}, ports: ports.get(serial) ?? [] };
      const own = contacts.get(serial);
      // a LAN with an unknown address is a LAN
      const lan = own?.routes && (routes || !device.bridgeLan) ? (own.lan ?? defaultLan) : null;
      const report = reports.get(serial);
      const facts = { serial, name, kind, routes, lan, capabilities, ...reported, ...(report && { report }) };
      const {
        network: given,
        override,
        general,
      } = mergeLayers(layersOf(device, intent), unsaved.overrides?.get(serial) ?? overrides.get(serial) ?? noOverride);
      const network = gwid === null ? given : withPasswords(given, (ssid) => passwordOf(gwid, ssid));
      const cycled = unsaved.cycled?.get(serial) ?? [];
      const blocked = blockedIn(gwid);
      const gate = (gwid && gates.get(gwid)) || null;
      return complete(compile({ device: facts, network, override, general, blocked, gateway, cycled, gate }));
    };
  }

  async function firstDocuments(
    tx: Tx,
    accountId: string,
    serials: readonly string[],
  ): Promise<Map<string, UcentralDocument>> {
    const versions = await firstVersions(tx, accountId, serials);
    const documents = await readDocuments(tx, keys, accountId, versions);
    return new Map(
      versions.flatMap(({ serial, uuid }) => {
        const document = documents.get(versionName(serial, uuid));
        return document ? [[serial, document]] : [];
      }),
    );
  }

  return {
    async compileFor(tx: Tx, device: ManagedDevice, unsaved: UnsavedSettings = {}): Promise<Compiled> {
      return (await compiler(tx, device.accountId, [device], unsaved))(device);
    },

    compiler,

    /**
     * Differs only in port speeds, which follow connected devices, or in empty deny lists, which older consoles lack.
     */
    async differsTrivially(tx: Tx, device: ManagedDevice, document: UcentralDocument, uuid: number): Promise<boolean> {
      const wantedNow = await readDocument(tx, keys, device, uuid);
      const part = device.kind === 'switch' ? withoutSpeeds : withoutEmptyLists;
      return wantedNow !== null && fingerprint(part(wantedNow)) === fingerprint(part(document));
    },

    async layeredOf(tx: Tx, device: ManagedDevice): Promise<MergedSettings> {
      const { accountId, serial } = device;
      const layersOf = await readLayersOf(tx, keys, accountId, [device]);
      const own = (await readOverrides(tx, accountId, [serial])).get(serial) ?? noOverride;
      return mergeLayers(layersOf(device), own);
    },

    async settingsOf(tx: Tx, accountId: string, gwid: string): Promise<MergedSettings> {
      const anyone = { serial: '', gwid, groupId: null };
      const layersOf = await readLayersOf(tx, keys, accountId, [anyone]);
      return mergeLayers(layersOf(anyone, noIntent), noOverride);
    },

    openSession: (tx: Tx, accountId: string, serials: readonly string[]): Promise<ConfigSession> =>
      ConfigSession.open({ keys, clock, bus }, tx, accountId, serials),

    /** @returns also the job item's fingerprint */
    stage(
      session: ConfigSession,
      device: Pick<ManagedDevice, 'serial' | 'capabilities' | 'firmware' | 'confirmed'>,
      compiled: Compiled,
      { cause, author }: PushReason,
      jobId: string | null = null,
    ): { staging: StageOutcome; sha: string } {
      const { serial, capabilities, firmware } = device;
      const { state, known } = session.stateOf(serial);
      const [sha, now] = [fingerprint(compiled.document), clock.now()];
      // its own document contains no secrets of ours
      if (!device.confirmed && cause !== 'first_contact') return { staging: 'unconfirmed', sha };
      const capable = capabilities !== null && !awaitsReport(compiled);
      const deploys = cause === 'sdwan_deployed';
      const again = deploys && session.version(serial, state.active_uuid)?.job_id !== jobId;
      const asked = { askedFor: askedFor.has(cause), insists: cause === 'retry' || deploys, again };
      const reasonsOf = () => session.version(serial, state.rejected_uuid)?.rejected ?? [];
      const { staging, next, uuid, overtakes } = decideStage(
        state,
        known,
        { sha, maySend: maySend(compiled), ...asked, capable, firmware, now },
        reasonsOf,
      );
      if (overtakes !== null) session.overtake(serial, overtakes);
      if (uuid !== null)
        session.add({
          serial,
          uuid,
          sha256: sha,
          text: canonical(compiled.document),
          cause,
          author,
          job_id: jobId,
          outcome: 'waiting',
          rejected: [],
          created_at: now,
          sent_at: null,
        });
      if (next) session.put(serial, next);
      return { staging: staging === 'unknown' && capabilities !== null ? 'unreported' : staging, sha };
    },
  };
}

function saysAnything(own: DeviceOverride | undefined): boolean {
  return own !== undefined && (own.radios.length > 0 || own.ssids_off.length > 0 || Boolean(own.lan_address));
}

function withPasswords(reported: WirelessIntent, passwordOf: (ssid: string) => string | null): WirelessIntent {
  const ssids = reported.ssids.map((ssid) =>
    ssid.key === null ? ssid : { ...ssid, key: passwordOf(ssid.name) ?? ssid.key },
  );
  return { ...reported, ssids };
}
