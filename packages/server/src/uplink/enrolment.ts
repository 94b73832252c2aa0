import type { Bus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type Tx, tables } from '../platform/database/index.ts';
import { Failure, invalid } from '../platform/failure.ts';
import type { Authority } from './authority.ts';
import { type IssuedCertificate, RequestRefused } from './certificates.ts';
import { claimSerial, forgetDevice, freeSerial, hasLapsed, revokeCertificates, takeOverSerial } from './directory.ts';
import type { GuessLimit } from './guesses.ts';
import type { UplinkHandlers } from './ports.ts';
import { tellSession } from './subjects.ts';
import type { UplinkTables } from './tables.ts';

export interface EnrolmentOptions {
  database: Database;
  bus: Bus;
  clock: Clock;
  authority: Authority;
  handlers: Pick<UplinkHandlers, 'enrolled' | 'lapsed'>;
  guesses: GuessLimit;
  /** The account of a binding code; undefined for a code that nobody has. */
  resolveBindingCode(tx: Tx, code: string): Promise<string | undefined>;
}

/** A device's request for a certificate, its form checked. */
export interface EnrolmentRequest {
  bindingCode: string;
  serial: string;
  csr: string;
  platform: string | null;
  model: string | null;
  gwid: string | null;
  /** It renews its certificate by itself. */
  renews: boolean;
  address: string;
}

const complaints = {
  unreadable: 'validation.csr',
  signature: 'validation.csrSignature',
  key: 'validation.csrKey',
  name: 'validation.csrName',
} as const;

/**
 * Enrols a device (design section 2): one transaction writes the directory, the certificate, and whatever the rest of
 * the program keeps of the device. A second enrolment in the same account revokes the certificates before it.
 * @throws Invalid for a wrong binding code or request; Failure tooManyRequests after many wrong codes; Failure boundElsewhere, or what the handler refuses with
 */
export async function enrol(options: EnrolmentOptions, request: EnrolmentRequest): Promise<IssuedCertificate> {
  const { clock, database, guesses, handlers } = options;
  const { serial } = request;
  guesses.check(request.address);
  return database.withSystem(async (tx) => {
    const accountId = await options.resolveBindingCode(tx, request.bindingCode);
    if (accountId === undefined) {
      guesses.wrong(request.address);
      return invalid('binding_code', 'validation.bindingCode');
    }
    const issued = await issue(options, request);
    const at = clock.now();
    const { row, fresh } = await claimSerial(tx, serial, accountId, at);
    if (row.account_id !== accountId) {
      if (!hasLapsed(row, at)) throw new Failure('boundElsewhere');
      await handlers.lapsed(tx, { accountId: row.account_id, serial, at });
      await forgetDevice(tx, row.account_id, serial, at);
      await takeOverSerial(tx, serial, accountId, at);
    } else if (!fresh) {
      await revokeCertificates(tx, accountId, serial, 're-enrolled', at);
      afterCommit(tx, () => tellSession(options.bus, { accountId, serial }, { type: 'cut', reason: 'revoked' }));
    }
    const again = row.account_id === accountId && !fresh;
    await tables<UplinkTables>(tx)
      .insertInto('device_certificate')
      .values({
        account_id: accountId,
        fingerprint: issued.fingerprint,
        serial,
        ours: true,
        issued_at: at,
        expires_at: issued.notAfter,
        address: request.address,
        model: request.model,
        revoked_at: null,
        revoked_reason: null,
      })
      .execute();
    const { platform, model, gwid, address } = request;
    await handlers.enrolled(tx, { accountId, serial, at, address, platform, model, gwid, again });
    return issued;
  });
}

function issue(
  { authority, clock }: EnrolmentOptions,
  { csr, serial, renews }: EnrolmentRequest,
): Promise<IssuedCertificate> {
  return authority.issue(csr, serial, clock.now(), renews).catch((error: unknown) => {
    if (error instanceof RequestRefused) return invalid('csr', complaints[error.reason]);
    throw error;
  });
}

/**
 * Lets go of a device that is unbound, in the caller's transaction: its certificates are revoked, its serial is free
 * for another account, its session is cut once the transaction is committed. For the feature that unbinds; works in a
 * request's transaction (its own account only) and in the system's.
 */
export async function releaseDevice(
  tx: Tx,
  bus: Bus,
  device: { accountId: string; serial: string },
  now: Date,
): Promise<void> {
  await forgetDevice(tx, device.accountId, device.serial, now);
  await freeSerial(tx, device.accountId, device.serial);
  afterCommit(tx, () => tellSession(bus, device, { type: 'cut', reason: 'unbound' }));
}

/** Revokes what certificates a device has and cuts its session; it stays bound and can enrol again. */
export async function revokeDevice(
  tx: Tx,
  bus: Bus,
  device: { accountId: string; serial: string },
  now: Date,
): Promise<number> {
  const revoked = await revokeCertificates(tx, device.accountId, device.serial, 'revoked', now);
  afterCommit(tx, () => tellSession(bus, device, { type: 'cut', reason: 'revoked' }));
  return revoked;
}
