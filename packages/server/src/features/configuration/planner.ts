import type { Capabilities } from '@yunxun/contract/device';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/managed-devices.ts';
import {
  type Compiled,
  canonical,
  compile,
  fingerprint,
  type GatewayIntent,
  maySend,
  noIntent,
  noOverride,
  type WirelessIntent,
} from './compile/index.ts';
import { Desk } from './desk.ts';
import { readGateways } from './gateway-store.ts';
import { readOverrides } from './intent-store.ts';
import { type Layered, layered } from './layers/layered.ts';
import { type MeantLayers, readLayersOf } from './layers/reader.ts';
import { readReaches } from './reach-store.ts';
import { type Staging, wanted } from './wanting.ts';

export type { Staging } from './wanting.ts';

/** Who wants a document, and why: a key of the catalogue under `config.cause.`. */
export interface Wish {
  cause:
    | 'wireless_saved'
    | 'gateway_saved'
    | 'override_saved'
    | 'restored'
    | 'template_pushed'
    | 'template_taken_back'
    | 'template_taken_off'
    | 'group_saved'
    | 'password_changed'
    | 'users_listed'
    | 'retry'
    | 'device_joined'
    | 'device_changed'
    | 'device_reset';
  author: string;
}

/** Causes by which somebody means this very device. */
const askedFor: ReadonlySet<Wish['cause']> = new Set([
  ...(['gateway_saved', 'override_saved', 'restored', 'retry'] as const),
  ...(['template_pushed', 'template_taken_back', 'template_taken_off'] as const),
]);

/** Settings that are not saved yet, in place of those in force. */
export interface Meant extends MeantLayers {
  /** Of the devices' gateway. */
  gateway?: GatewayIntent;
}

export type Planner = ReturnType<typeof createPlanner>;

export interface PlannerDeps {
  keys: AccountKeys;
  clock: Clock;
  bus: Bus;
  /** MACs that no SSID of the account lets in, in order. */
  blockedTerminals(tx: Tx, accountId: string): Promise<readonly string[]>;
  /** Passwords that change by rules, by network and SSID; they go before what the settings say. */
  passwords(tx: Tx, accountId: string): Promise<(gwid: string, ssid: string) => string | null>;
}

/** Compiles devices' documents and writes down which are wanted. */
export function createPlanner({ keys, clock, bus, blockedTerminals, passwords }: PlannerDeps) {
  /** Compiles for several devices, with what is known of each read at once. `network`: its settings that are not saved yet. */
  async function compiler(
    tx: Tx,
    accountId: string,
    devices: readonly ManagedDevice[],
    meant: Meant = {},
  ): Promise<(device: ManagedDevice, network?: WirelessIntent) => Compiled> {
    const serials = devices.map(({ serial }) => serial);
    const overrides = await readOverrides(tx, accountId, serials);
    const reaches = await readReaches(tx, accountId, serials);
    const blocked = await blockedTerminals(tx, accountId);
    const passwordOf = await passwords(tx, accountId);
    const gwids = new Set(devices.flatMap(({ gwid, routes }) => (routes && gwid ? [gwid] : [])));
    const gateways = meant.gateway ? null : await readGateways(tx, accountId, [...gwids]);
    const layersOf = await readLayersOf(tx, keys, accountId, devices, meant);
    return (device, intent) => {
      const { serial, gwid, name, kind, routes } = device;
      const gateway = meant.gateway ?? (gwid ? (gateways?.get(gwid)?.value ?? null) : null);
      const capabilities = device.capabilities as Capabilities | null;
      const facts = { serial, name, kind, routes, capabilities, reach: reaches.get(serial) ?? {} };
      const {
        network: said,
        override,
        general,
      } = layered(layersOf(device, intent), overrides.get(serial) ?? noOverride);
      const network = gwid === null ? said : withPasswords(said, (ssid) => passwordOf(gwid, ssid));
      return compile({ device: facts, network, override, general, blocked, gateway });
    };
  }

  return {
    /** The document that a device should run, by the intent in force. */
    async compileFor(tx: Tx, device: ManagedDevice): Promise<Compiled> {
      return (await compiler(tx, device.accountId, [device]))(device);
    },

    compiler,

    /** The layers above a device's own settings, and those, as one intent. */
    async layeredOf(tx: Tx, device: ManagedDevice): Promise<Layered> {
      const { accountId, serial } = device;
      const layersOf = await readLayersOf(tx, keys, accountId, [device]);
      const own = (await readOverrides(tx, accountId, [serial])).get(serial) ?? noOverride;
      return layered(layersOf(device), own);
    },

    /** What templates that stand for a network say of its devices before the network's own settings do. */
    async standingOf(tx: Tx, accountId: string, gwid: string): Promise<Layered> {
      const anyone = { serial: '', gwid, groupId: null };
      const layersOf = await readLayersOf(tx, keys, accountId, [anyone]);
      return layered(layersOf(anyone, noIntent), noOverride);
    },

    /** Devices whose configuration is changed in this transaction. */
    desk: (tx: Tx, accountId: string, serials: readonly string[]): Promise<Desk> =>
      Desk.open({ keys, clock, bus }, tx, accountId, serials),

    /**
     * Wants a compiled document of a device (`wanted`). `jobId`: the job that brings it there, where it is known by now.
     * @returns what came of it, and the fingerprint that a job's item goes by
     */
    stage(
      desk: Desk,
      device: Pick<ManagedDevice, 'serial' | 'capabilities' | 'firmware'>,
      compiled: Compiled,
      { cause, author }: Wish,
      jobId: string | null = null,
    ): { staging: Staging; sha: string } {
      const { serial, capabilities, firmware } = device;
      const { state, known } = desk.standing(serial);
      const [sha, now] = [fingerprint(compiled.document), clock.now()];
      const asked = { askedFor: askedFor.has(cause), insists: cause === 'retry' };
      const reasonsOf = () => desk.version(serial, state.rejected_uuid)?.rejected ?? [];
      const { staging, next, uuid, overtakes } = wanted(
        state,
        known,
        { sha, maySend: maySend(compiled), ...asked, capable: capabilities !== null, firmware, now },
        reasonsOf,
      );
      if (overtakes !== null) desk.overtake(serial, overtakes);
      if (uuid !== null)
        desk.add({
          ...{ serial, uuid, sha256: sha, text: canonical(compiled.document), cause, author, job_id: jobId },
          ...{ outcome: 'waiting', rejected: [], created_at: now, sent_at: null },
        });
      if (next) desk.put(serial, next);
      return { staging, sha };
    },
  };
}

/** Settings with the passwords that are in force; an SSID without a key keeps none. */
function withPasswords(said: WirelessIntent, passwordOf: (ssid: string) => string | null): WirelessIntent {
  const ssids = said.ssids.map((ssid) =>
    ssid.key === null ? ssid : { ...ssid, key: passwordOf(ssid.name) ?? ssid.key },
  );
  return { ...said, ssids };
}
