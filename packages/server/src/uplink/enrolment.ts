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
  refuseManyClaims,
  revokeCertificates,
  type SerialRow,
  takeOverSerial,
} from './directory.ts';
import { type EnrolmentProof, isFactoryProof, provenFingerprint } from './enrolment-proof.ts';
import type { GuessLimit } from './guess-limit.ts';
import type { EnrolmentGate, ShownCode, UplinkHandlers } from './ports.ts';
import { tellSession } from './subjects.ts';
import type { UplinkTables } from './tables.ts';

export interface EnrolmentOptions {
  database: Database;
  bus: Bus;
  clock: Clock;
  authority: Authority;
  handlers: Pick<UplinkHandlers, 'enrolled' | 'lapsed'>;
  guesses: GuessLimit;
  gate: EnrolmentGate;
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
 * Enrols in one transaction (design section 2). The account's own serial needs a proof by its old key, a person's
 * approval, or no session so far and the same address.
 * @throws Invalid, Failure tooManyRequests, boundElsewhere, enrolmentWaits, enrolmentRefused, or the handler's
 */
export async function enrol(options: EnrolmentOptions, request: EnrolmentRequest): Promise<IssuedCertificate> {
  const { database, guesses } = options;
  const { serial, address } = request;
  guesses.check(address);
  // a waiting request must be committed
  const outcome = await database.withSystem((tx) => enrolIn(tx, options, request));
  if (outcome === 'waiting') throw new Failure('enrolmentWaits', { params: { serial, address } });
  if (outcome === 'refused') throw new Failure('enrolmentRefused');
  return outcome;
}

async function enrolIn(
  tx: Tx,
  options: EnrolmentOptions,
  request: EnrolmentRequest,
): Promise<IssuedCertificate | 'waiting' | 'refused'> {
  const { gate, handlers } = options;
  const { address, serial } = request;
  const at = options.clock.now();
  const code = await gate.resolve(tx, request.bindingCode, serial, at);
  if (code === undefined) {
    options.guesses.wrong(address);
    return invalid('binding_code', 'validation.bindingCode');
  }
  if (code === 'over') return invalid('binding_code', 'validation.bindingCodeOver');
  const { accountId } = code;
  const issued = await issue(options, request);
  const source = addressKey(address);
  const { row, fresh } = await claimSerial(tx, serial, accountId, source, at);
  if (fresh) await refuseManyClaims(tx, { accountId, source }, at);
  const again = row.account_id === accountId && !fresh;
  let proven = false;
  if (again) {
    const right = await rightToEnrolAgain(tx, options, row, code, request);
    if (right === 'waiting' || right === 'refused') return right;
    proven = right === 'proof';
    // a proven device keeps its old certificate until the new one opens a session: the answer may be lost
    if (!proven) {
      await revokeCertificates(tx, accountId, serial, 're-enrolled', at);
      afterCommit(tx, () => tellSession(options.bus, { accountId, serial }, { type: 'cut', reason: 'revoked' }));
    }
  } else if (row.account_id !== accountId) {
    // an unused claim yields to a factory proof at once, otherwise after a day
    const unused = row.first_connected_at === null && hasFactoryProof(options, request);
    if (!unused && !hasLapsed(row, at)) throw new Failure('boundElsewhere');
    await handlers.lapsed(tx, { accountId: row.account_id, serial, at });
    await forgetDevice(tx, row.account_id, serial, at);
    await takeOverSerial(tx, serial, accountId, source, at);
    await refuseManyClaims(tx, { accountId, source }, at);
  }
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
  { first_connected_at: firstConnected }: SerialRow,
  code: ShownCode,
  request: EnrolmentRequest,
): Promise<'proof' | 'unused' | 'allowed' | 'waiting' | 'refused'> {
  const { serial, csr, proof, address, platform, model } = request;
  const good = await goodCertificates(tx, code.accountId, serial);
  const shown = proof && provenFingerprint(proof, csr);
  if (good.some(({ fingerprint }) => fingerprint === shown) || hasFactoryProof(options, request)) return 'proof';
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
