import type { Bus } from '../platform/bus/index.ts';
import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Database, type Tx, tables } from '../platform/database/index.ts';
import { Failure, invalid } from '../platform/failure.ts';
import { addressKey } from '../platform/http/address.ts';
import type { Authority } from './authority.ts';
import { type IssuedCertificate, RequestRefused } from './certificates.ts';
import {
  claimSerial,
  forgetDevice,
  freeSerial,
  goodCertificates,
  hasLapsed,
  markProven,
  refuseManyClaims,
  revokeCertificates,
  type SerialRow,
  takeOverSerial,
} from './directory.ts';
import { type EnrolmentProof, isFactoryProof, provenFingerprint } from './enrolment-proof.ts';
import type { CodeGuesses, EnrolmentGate, ShownCode, UplinkHandlers } from './ports.ts';
import type { RefusalLog, RefusalReason } from './refusals.ts';
import { tellSession } from './subjects.ts';
import type { UplinkTables } from './tables.ts';

export interface EnrolmentOptions {
  database: Database;
  bus: Bus;
  clock: Clock;
  authority: Authority;
  handlers: Pick<UplinkHandlers, 'enrolled' | 'lapsed' | 'taken'>;
  guesses: CodeGuesses;
  gate: EnrolmentGate;
  refusals: Pick<RefusalLog, 'record'>;
  /** Of factory certificates, PEM. */
  clientCas: readonly string[];
}

export interface EnrolmentRequest {
  bindingCode: string;
  serial: string;
  csr: string;
  platform: string | null;
  model: string | null;
  gwid: string | null;
  renews: boolean;
  proof: EnrolmentProof | null;
  address: string;
}

const requestErrors = {
  unreadable: 'validation.csr',
  signature: 'validation.csrSignature',
  key: 'validation.csrKey',
  name: 'validation.csrName',
} as const;

/**
 * Enrols in one transaction. An own serial needs a proof by its old key, approval, or no session so far and the same
 * address; another account's, a factory certificate.
 * @throws Invalid, Failure tooManyRequests, boundElsewhere, enrolmentWaits, enrolmentRefused, or the handler's
 */
export async function enrol(options: EnrolmentOptions, request: EnrolmentRequest): Promise<IssuedCertificate> {
  const { database, guesses, clock } = options;
  const { serial, address } = request;
  const done = await guesses.check({ key: `enrol:${addressKey(address)}`, ...wrongCodes }, () =>
    // a waiting request must be committed
    database.withSystem((tx) => enrolIn(tx, options, request)),
  );
  if (done.outcome === 'wrong') return invalid('binding_code', 'validation.bindingCode');
  if (done.outcome !== 'right') {
    const seconds = Math.max(1, Math.ceil((done.count.expiresAt.getTime() - clock.now().getTime()) / 1000));
    throw new Failure('tooManyRequests', { params: { seconds } });
  }
  const outcome = done.value;
  if (outcome === 'waiting') throw new Failure('enrolmentWaits', { params: { serial, address } });
  if (outcome === 'refused') throw new Failure('enrolmentRefused');
  return outcome;
}

/** Per address; right ones do not count, so that a site can enrol at once. */
const wrongCodes = { limit: 20, windowMs: 60_000 } as const;

/** Null: unknown code. */
async function enrolIn(
  tx: Tx,
  options: EnrolmentOptions,
  request: EnrolmentRequest,
): Promise<IssuedCertificate | 'waiting' | 'refused' | null> {
  const { gate, handlers } = options;
  const { address, serial } = request;
  const at = options.clock.now();
  const code = await gate.resolve(tx, request.bindingCode, serial, at);
  if (code === undefined) return null;
  if (code === 'over') return invalid('binding_code', 'validation.bindingCodeOver');
  const { accountId } = code;
  const source = addressKey(address);
  const noteRefusal = (reason: RefusalReason) =>
    options.refusals.record({ address, serial, reason, detail: null, accountId });
  const limitClaims = () =>
    refuseManyClaims(tx, { accountId, source }, at).catch((error: unknown) => {
      if (error instanceof Failure) noteRefusal('too-many-claims');
      throw error;
    });
  const issued = await issue(options, request);
  const { row, fresh } = await claimSerial(tx, serial, accountId, source, at);
  if (fresh) await limitClaims();
  const isFactory = hasFactoryProof(options, request);
  let again = row.account_id === accountId && !fresh;
  let proven = false;
  if (again) {
    const right = await rightToEnrolAgain(tx, options, row, code, request);
    if (right === 'refused') noteRefusal('enrolment-refused');
    if (right === 'waiting' || right === 'refused') return right;
    proven = right === 'proof';
    again = right !== 'assigned';
    // a proven device keeps its old certificate until the new one opens a session: the answer may be lost
    if (!proven) {
      await revokeCertificates(tx, accountId, serial, 're-enrolled', at);
      afterCommit(tx, () => tellSession(options.bus, { accountId, serial }, { type: 'cut', reason: 'revoked' }));
    }
  } else if (row.account_id !== accountId) {
    // a claim without a proof yields to a factory certificate
    const yields = row.proven_at === null && isFactory;
    if (!yields && !hasLapsed(row, at)) {
      noteRefusal('bound-elsewhere');
      throw new Failure('boundElsewhere');
    }
    const holder = { accountId: row.account_id, serial };
    await (row.first_connected_at
      ? handlers.taken(tx, { ...holder, at, by: accountId })
      : handlers.lapsed(tx, { ...holder, at }));
    await forgetDevice(tx, row.account_id, serial, at);
    afterCommit(tx, () => tellSession(options.bus, holder, { type: 'cut', reason: 'unbound' }));
    await takeOverSerial(tx, serial, accountId, source, at);
    await limitClaims();
  }
  if (isFactory) await markProven(tx, serial, at);
  await tables<UplinkTables>(tx)
    .insertInto('device_certificate')
    .values({
      account_id: accountId,
      fingerprint: issued.fingerprint,
      serial,
      ours: true,
      issued_at: at,
      expires_at: issued.notAfter,
      address,
      model: request.model,
      revoked_at: null,
      revoked_reason: null,
    })
    .execute();
  const { platform, model, gwid } = request;
  await handlers.enrolled(tx, { accountId, serial, at, address, platform, model, gwid, again, proven });
  await gate.used(tx, { ...code, serial, address, at });
  return issued;
}

/** Requires the lock on the serial's row. */
async function rightToEnrolAgain(
  tx: Tx,
  options: EnrolmentOptions,
  { first_connected_at: firstConnected, proven_at: provenAt }: SerialRow,
  code: ShownCode,
  request: EnrolmentRequest,
): Promise<'proof' | 'assigned' | 'unused' | 'allowed' | 'waiting' | 'refused'> {
  const { serial, csr, proof, address, platform, model } = request;
  const good = await goodCertificates(tx, code.accountId, serial);
  const shown = proof && provenFingerprint(proof, csr);
  if (good.some(({ fingerprint }) => fingerprint === shown) || hasFactoryProof(options, request)) return 'proof';
  // reserved by the administrator
  if (firstConnected === null && provenAt !== null && good.length === 0) return 'assigned';
  // repeats a failed script: no configuration was sent yet
  const here = addressKey(address);
  if (firstConnected === null && good.some((one) => one.address !== null && addressKey(one.address) === here))
    return 'unused';
  return options.gate.ask(tx, { ...code, serial, address, platform, model });
}

function hasFactoryProof({ clientCas, clock }: EnrolmentOptions, { proof, ...request }: EnrolmentRequest): boolean {
  return proof !== null && isFactoryProof(proof, request, clientCas, clock.now());
}

function issue(
  { authority, clock }: EnrolmentOptions,
  { csr, serial, renews }: EnrolmentRequest,
): Promise<IssuedCertificate> {
  return authority.issue(csr, serial, clock.now(), renews).catch((error: unknown) => {
    if (error instanceof RequestRefused) return invalid('csr', requestErrors[error.reason]);
    throw error;
  });
}

/** Closes the session after the commit. Works in request (own account) and system transactions. */
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

/** Leaves the device bound; it can enrol again. */
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
