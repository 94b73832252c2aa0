import { asCount, deviceLimits, takesCompressedCommands } from '@yunxun/contract/device';
import { bySystem } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { againOnDeadlock } from '../../../platform/database/deadlock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { type DeviceCommands, DeviceOffline, type DeviceRef } from '../../../uplink/index.ts';
import { fleetDevices, type ManagedDevice } from '../../fleet/index.ts';
import { frameBytes, isEdge, type UcentralDocument } from '../compile/index.ts';
import type { Rollout } from '../rollout.ts';
import { readState } from '../version-store.ts';
import { type Contact, openContact, readContact, writeContact } from './contact-store.ts';
import { readOwnDocument } from './own-document.ts';
import { rebuildDocument } from './rebuild.ts';
import { type Roles, rolesOf } from './roles.ts';
import { withTelemetry } from './telemetry.ts';
import { hasRoles } from './unsettled.ts';

const firstDocumentTask = 'configuration-first-document';
/** Keyed by serial: an unresponsive device blocks only its own. */
const queues = 6;

export interface FirstContactDeps {
  database: Database;
  clock: Clock;
  rollout: Pick<Rollout, 'startDocument'>;
  commands: Pick<DeviceCommands, 'script'>;
  latestState(tx: Tx, device: DeviceRef): Promise<{ at: Date; params: Record<string, unknown> } | null>;
  settled(device: DeviceRef): Promise<void>;
}

export type AfterContact =
  /** Incomplete: evaluate the next report too. */
  'wait' | 'settled';

export type FirstContact = ReturnType<typeof createFirstContact>;

type Left = { reason: string };

/** Records the running configuration at the first report, and pushes a first document that keeps it. */
export function createFirstContact(deps: FirstContactDeps) {
  const { database, clock, rollout, commands, latestState } = deps;

  /** `configured`: settings are saved for the device. */
  async function take(tx: Tx, device: ManagedDevice, configured: boolean): Promise<AfterContact> {
    const at = clock.now();
    if (!hasRoles(device)) {
      const before = await readContact(tx, device, true);
      const reason = isEdge({ device: { capabilities: device.capabilities } }) ? 'edge' : 'switch';
      await writeContact(tx, device, {
        routes: false,
        lan: null,
        settled: true,
        outcome: 'left',
        reason,
        source: null,
        at: before?.at ?? at,
      });
      return 'settled';
    }
    const latest = await latestState(tx, device);
    const roles = rolesOf(latest?.params.state);
    if (!roles) return 'wait';
    // a concurrent first document must not be overwritten
    const before = (await readContact(tx, device, true)) ?? (await openContact(tx, device, at));
    const { state, known } = await readState(tx, device);
    const failed = known && state.state === 'failed';
    // the first document makes devices list clients: none then means none
    const asked = state.active_uuid !== null && asCount(latest?.params.uuid) === state.active_uuid;
    const sent = before.outcome === 'sent';
    const settled = before.settled || failed || asked || device.leftAlone || isSettled(roles, device);
    const left = device.leftAlone && !sent;
    // kept until an attempt differs
    const unable = before.outcome === 'left' && before.reason !== 'left_alone';
    // retried once per session
    const tried = unable && before.at >= (device.onlineSince ?? before.at);
    // saved settings include telemetry
    const due = !sent && !left && !tried && !(configured && settled);
    await writeContact(tx, device, {
      routes: before.routes || roles.routes,
      lan: before.lan ?? roles.lan,
      settled,
      outcome: sent ? 'sent' : left || unable ? 'left' : 'open',
      reason: left ? 'left_alone' : unable ? before.reason : null,
      source: before.source,
      at: before.at,
    });
    if (due) await enqueueDocument(tx, device);
    return settled ? 'settled' : 'wait';
  }

  async function enqueueDocument(tx: Tx, { accountId, serial }: DeviceRef): Promise<void> {
    const queue = Number.parseInt(serial.slice(-2), 16) % queues || 0;
    await enqueue(
      tx,
      firstDocumentTask,
      { accountId, serial },
      {
        key: `${firstDocumentTask}:${accountId}.${serial}`,
        queue: `${firstDocumentTask}:${queue}`,
      },
    );
  }

  async function needs(tx: Tx, ref: DeviceRef): Promise<{ device: ManagedDevice; contact: Contact } | null> {
    const device = await fleetDevices.find(tx, ref.accountId, ref.serial, clock.now());
    const contact = device && (await readContact(tx, ref));
    if (!device || !contact || device.gwid === null || device.leftAlone || contact.outcome === 'sent') return null;
    return (await readState(tx, ref)).known ? null : { device, contact };
  }

  async function documentOf(
    ref: DeviceRef,
    device: ManagedDevice,
  ): Promise<{ document: UcentralDocument; source: 'read' | 'rebuilt' } | Left> {
    const params = (await database.withSystem((tx) => latestState(tx, ref)))?.params ?? {};
    const uuid = asCount(params.uuid);
    const read = await readOwnDocument(commands, ref, uuid);
    const rebuilt = typeof read === 'string' ? rebuildDocument(params.state, uuid) : null;
    const own = typeof read === 'string' ? rebuilt : read;
    // the firmware's reason is more precise
    if (own === null || typeof own === 'string')
      return { reason: own === 'not_factory' ? 'not_factory' : String(read) };
    const document = withTelemetry(own);
    if (frameBytes(document) > deviceLimits.sendBytes && !takesCompressedCommands(device.capabilities))
      return { reason: 'too_large' };
    return { document, source: typeof read === 'string' ? 'rebuilt' : 'read' };
  }

  async function give({ accountId, serial }: DeviceRef): Promise<void> {
    const ref = { accountId, serial };
    const due = await database.withSystem((tx) => needs(tx, ref));
    if (!due) return;
    let own: Awaited<ReturnType<typeof documentOf>>;
    try {
      own = await documentOf(ref, due.device);
    } catch (error) {
      // the next session retries
      if (error instanceof DeviceOffline) return;
      throw error;
    }
    const over = await againOnDeadlock(() =>
      database.withSystem(async (tx) => {
        const still = await needs(tx, ref);
        if (!still) return false;
        if ('reason' in own) {
          await writeContact(tx, ref, {
            ...still.contact,
            outcome: 'left',
            reason: own.reason,
            settled: true,
            at: clock.now(),
          });
          return true;
        }
        const sent = { ...still.contact, outcome: 'sent', reason: null, source: own.source } as const;
        await writeContact(tx, ref, sent);
        await rollout.startDocument(tx, bySystem(accountId), serial, own.document, {
          cause: 'first_contact',
          author: 'system',
        });
        return false;
      }),
    );
    if (over) await deps.settled(ref);
  }

  return {
    take,
    tasks: { [firstDocumentTask]: give },
  };
}

/** Clients are known, or irrelevant behind another gateway. */
function isSettled(roles: Roles, device: ManagedDevice): boolean {
  return !roles.routes || roles.serves || roles.listsClients || device.behindGateway || device.routes;
}
