import type { configuration, DataOf, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetDevices, type ManagedDevice } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { awaitsReport, fingerprint } from './compile/index.ts';
import { maskSecrets } from './compile/mask.ts';
import { readContact } from './first-contact/contact-store.ts';
import { awaitingReport } from './first-contact/unsettled.ts';
import type { Planner } from './planner.ts';
import type { Rollout } from './rollout.ts';
import { wouldBeRejected } from './transitions.ts';
import { findVersion, listVersions, readDocument, readState, type VersionFacts } from './version-store.ts';

type Contract = typeof configuration;
type Overview = DataOf<Contract['deviceConfigGet']>;

export interface DeviceConfigDeps {
  keys: AccountKeys;
  clock: Clock;
  planner: Planner;
  rollout: Rollout;
}

export function createDeviceConfig({ keys, clock, planner, rollout }: DeviceConfigDeps) {
  async function need(tx: Tx, accountId: string, serial: string): Promise<ManagedDevice> {
    const device = await fleetDevices.find(tx, accountId, serial, clock.now());
    if (!device) throw new Failure('notFound');
    return device;
  }

  async function shown(tx: Tx, device: ManagedDevice, uuid: number | null): Promise<Overview['active']> {
    if (uuid === null) return null;
    const version = await findVersion(tx, device, uuid);
    return {
      uuid,
      created_at: version?.created_at.toISOString() ?? null,
      cause: version?.cause ?? null,
      author: version?.author ?? null,
      document: version ? maskSecrets(await readDocument(tx, keys, device, uuid)) : null,
    };
  }

  return {
    async get(tx: Tx, accountId: string, serial: string): Promise<Overview> {
      const device = await need(tx, accountId, serial);
      const { state, known, changedAt } = await readState(tx, device);
      const compiled = await planner.compileFor(tx, device);
      const drifted = state.state === 'drifted';
      const contact = await readContact(tx, device);
      return {
        serial,
        state: known ? state.state : null,
        first_contact: contact
          ? { outcome: contact.outcome, reason: contact.reason, lan: contact.lan, at: contact.at.toISOString() }
          : null,
        awaits_report: awaitsReport(compiled) || (await awaitingReport(tx, accountId, [device])).has(serial),
        changed_at: changedAt?.toISOString() ?? null,
        trial_until: state.state === 'applying' ? (state.trial_until?.toISOString() ?? null) : null,
        returned_at: state.state === 'failed' && state.trial_until ? (changedAt?.toISOString() ?? null) : null,
        reasons: state.reasons,
        desired: await shown(tx, device, state.desired_uuid),
        active: await shown(tx, device, drifted ? state.reported_uuid : state.active_uuid),
        reported_uuid: state.reported_uuid,
        can_retry:
          device.capabilities !== null &&
          state.state !== 'in_sync' &&
          state.state !== 'applying' &&
          !wouldBeRejected(state, fingerprint(compiled.document), device.firmware),
        findings: [...compiled.findings],
      };
    },

    async versions(
      tx: Tx,
      accountId: string,
      input: InputOf<Contract['deviceConfigVersions']>,
    ): Promise<DataOf<Contract['deviceConfigVersions']>> {
      const limit = input.limit ?? 10;
      const page = { offset: ((input.page ?? 1) - 1) * limit, limit };
      const { rows, total } = await listVersions(tx, { accountId, serial: input.serial }, page);
      return { list: rows.map(present), total };
    },

    /** @throws Failure unsupported if this firmware rejected the document */
    async retry(tx: Tx, acting: Acting, serial: string): Promise<{ job_id: string }> {
      const device = await need(tx, acting.accountId, serial);
      const { state } = await readState(tx, device);
      const { document } = await planner.compileFor(tx, device);
      if (wouldBeRejected(state, fingerprint(document), device.firmware)) {
        throw new Failure('unsupported', { data: { reasons: state.reasons } });
      }
      const author = acting.actor?.name ?? acting.source;
      const jobId = await rollout.start(tx, acting, [device], { cause: 'retry', author });
      if (jobId === null) throw new Failure('notFound');
      await record(tx, acting, {
        action: 'device.config.retry',
        object: { type: 'device', id: serial, name: device.name },
        gwid: device.gwid,
        before: { state: state.state, reasons: state.reasons },
        jobId,
        command: true,
      });
      return { job_id: jobId };
    },
  };
}

function present(row: VersionFacts): DataOf<Contract['deviceConfigVersions']>['list'][number] {
  return {
    uuid: row.uuid,
    cause: row.cause,
    author: row.author,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    outcome: row.outcome as configuration.VersionOutcome,
    rejected: row.rejected,
    bytes: row.bytes,
  };
}
