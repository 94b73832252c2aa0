import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Sealer } from '../platform/crypto/index.ts';
import { type Database, type Tx, tables } from '../platform/database/index.ts';
import {
  type Credential,
  certificateEnd,
  certificateNames,
  type IssuedCertificate,
  issueDeviceCertificate,
  issueServerCertificate,
  makeAuthority,
} from './certificates.ts';

export interface Authority {
  /** PEM; trusted by devices. */
  readonly certificate: string;
  readonly server: Credential;
  readonly serverNames: readonly string[];
  /** Signs for a year if the device `renews`. @throws RequestRefused */
  issue(requestPem: string, serial: string, now: Date, renews?: boolean): Promise<IssuedCertificate>;
}

interface AuthorityTables {
  installation_authority: {
    id: number;
    certificate: string;
    sealed_key: Buffer;
    server_name: string;
    server_certificate: string;
    sealed_server_key: Buffer;
    created_at: Date;
  };
}

const keyContext = 'device authority key';
const serverKeyContext = 'device server key';
/** Remaining milliseconds at renewal. */
const renewBefore = 365 * 24 * 60 * 60 * 1000;

/**
 * Creates the authority at the first start, sealed under the master key. Replaces a server certificate that expires
 * soon or names another host.
 */
export function loadAuthority(database: Database, sealer: Sealer, host: string, clock: Clock): Promise<Authority> {
  return database.withSystem(async (tx) => {
    // gateways that start together must agree
    await sql`select pg_advisory_xact_lock(hashtextextended('uplink.authority', 0))`.execute(tx);
    return (await read(tx, sealer, host, clock.now())) ?? (await make(tx, sealer, host, clock.now()));
  });
}

async function read(tx: Tx, sealer: Sealer, host: string, now: Date): Promise<Authority | null> {
  const row = await tables<AuthorityTables>(tx).selectFrom('installation_authority').selectAll().executeTakeFirst();
  if (!row) return null;
  const own = { certificate: row.certificate, key: sealer.open(row.sealed_key, keyContext).toString() };
  if (row.server_name === host && certificateEnd(row.server_certificate).getTime() - now.getTime() > renewBefore) {
    return present(own, {
      certificate: row.server_certificate,
      key: sealer.open(row.sealed_server_key, serverKeyContext).toString(),
    });
  }
  const server = await issueServerCertificate(own, host, now);
  await tables<AuthorityTables>(tx)
    .updateTable('installation_authority')
    .set({
      server_name: host,
      server_certificate: server.certificate,
      sealed_server_key: sealer.seal(server.key, serverKeyContext),
    })
    .execute();
  return present(own, server);
}

async function make(tx: Tx, sealer: Sealer, host: string, now: Date): Promise<Authority> {
  const own = await makeAuthority(now);
  const server = await issueServerCertificate(own, host, now);
  await tables<AuthorityTables>(tx)
    .insertInto('installation_authority')
    .values({
      id: 1,
      certificate: own.certificate,
      sealed_key: sealer.seal(own.key, keyContext),
      server_name: host,
      server_certificate: server.certificate,
      sealed_server_key: sealer.seal(server.key, serverKeyContext),
      created_at: now,
    })
    .execute();
  return present(own, server);
}

export function present(own: Credential, server: Credential): Authority {
  return {
    certificate: own.certificate,
    server,
    serverNames: certificateNames(server.certificate),
    issue: (requestPem, serial, now, renews) => issueDeviceCertificate(own, requestPem, serial, now, renews),
  };
}
