import { join } from 'node:path';
import { asNumber, asRecord, asText, normaliseSerial } from '@yunxun/contract/device';
import { readJson, removeDurably, writeDurably } from '../apply/durable.ts';
import type { Identity } from '../enrol.ts';
import type { Places } from './places.ts';

/** Server name, authority and signing key are pinned: the console cannot change them. */
export interface PinnedIdentity extends Identity {
  console: string;
  /** Renewed pair (PEM); replaces the current one after its first session. */
  next?: { key: string; certificate: string };
}

function pathOf(places: Places): string {
  return join(places.etc, 'identity.json');
}

export function readIdentity(places: Places): PinnedIdentity | null {
  const kept = asRecord<PinnedIdentity>(readJson(pathOf(places)));
  const serial = normaliseSerial(kept.serial);
  const key = asText(kept.key, 65_536);
  const certificate = asText(kept.certificate, 65_536);
  const ca = asText(kept.ca, 262_144);
  const server = asText(kept.server, 255);
  const port = asNumber(kept.port);
  const console = asText(kept.console, 1024);
  const complete = serial && key && certificate && ca && server && port && console;
  if (!complete) return null;
  const signingKey = asText(kept.signingKey, 4096);
  const next = asRecord<NonNullable<PinnedIdentity['next']>>(kept.next);
  const [nextKey, nextCertificate] = [asText(next.key, 65_536), asText(next.certificate, 65_536)];
  return {
    serial,
    key,
    certificate,
    ca,
    server,
    port,
    console,
    ...(signingKey === null ? {} : { signingKey }),
    ...(nextKey && nextCertificate ? { next: { key: nextKey, certificate: nextCertificate } } : {}),
  };
}

export function writeIdentity(places: Places, identity: PinnedIdentity): void {
  writeDurably(pathOf(places), `${JSON.stringify(identity, null, 2)}\n`, 0o600);
}

export function forgetIdentity(places: Places): void {
  removeDurably(pathOf(places));
}
