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

/** The installation's own certificate authority, and the device port's certificate under it. */
export interface Authority {
  /** The authority's certificate, PEM: what devices trust. */
  readonly certificate: string;
  /** Certificate and key of the device port. */
  readonly server: Credential;
  /** Names the device port's certificate answers to. */
  readonly serverNames: readonly string[];
  /** Signs a device's request, for a year when the device `renews` by itself. @throws RequestRefused */
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
/** A server certificate is renewed this long before it ends. */
const renewBefore = 365 * 24 * 60 * 60 * 1000;

/**
 * Reads the authority, or makes it on the first start; private keys are sealed under the master key. The server's
 * certificate is issued anew when the host's name has changed or the old one is near its end; devices notice nothing,
 * since they trust the authority.
 */
export function loadAuthority(database: Database, sealer: Sealer, host: string, clock: Clock): Promise<Authority> {
  return database.withSystem(async (tx) => {
    // gateways that start together must agree on one authority
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

/** An authority from its parts; tests make one without a database. */
export function present(own: Credential, server: Credential): Authority {
  return {
    certificate: own.certificate,
    server,
    serverNames: certificateNames(server.certificate),
    issue: (requestPem, serial, now, renews) => issueDeviceCertificate(own, requestPem, serial, now, renews),
  };
}
