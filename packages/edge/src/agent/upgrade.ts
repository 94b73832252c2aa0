import { createHash, createPublicKey, verify } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { asRecord, asText } from '@yunxun/contract/device';
import { runTool } from '../apply/executor.ts';
import type { ActionResult } from '../system.ts';
import { download } from './download.ts';
import { type Versions, versionForm } from './versions.ts';

/** Signed statement about a bundle, at its URL plus `.sig`. */
export interface SignedVersion {
  version: string;
  /** Of the bundle, lower-case hexadecimal. */
  sha256: string;
  /** Ed25519 over `signedText`, base64. */
  signature: string;
}

export interface UpgradeOptions {
  versions: Versions;
  running: string;
  signingKey: string | null;
  lookup?: LookupFunction;
  tryOut?: (bundle: string) => Promise<string | null>;
}

export const largestBundle = 32 * 1024 * 1024;
const largestStatement = 4096;
/** Milliseconds, within the console's command timeout. */
const downloadTime = 90_000;

/** Covers product, version and digest, so that none can be exchanged alone. */
export function signedText({ version, sha256 }: Pick<SignedVersion, 'version' | 'sha256'>): string {
  return `yunxun-edge\n${version}\n${sha256}\n`;
}

export function isSigned(statement: SignedVersion, keyPem: string): boolean {
  try {
    const key = createPublicKey(keyPem);
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(signedText(statement)), key, Buffer.from(statement.signature, 'base64'));
  } catch {
    return false;
  }
}

/**
 * Downloads version and statement, verifies signature, digest and start, and selects it for the next start. The
 * launcher can return to the running version on disk.
 */
export async function upgradeTo(uri: string, options: UpgradeOptions): Promise<ActionResult> {
  const { versions, running, signingKey, tryOut = reportedVersion } = options;
  if (signingKey === null) return failed('the console gave no signing key at enrolment: enrol again to upgrade');
  if (!/^https?:\/\//i.test(uri)) return failed('only http and https addresses');
  const limit = AbortSignal.timeout(downloadTime);
  const { lookup } = options;
  const get = (address: string, max: number) =>
    download(address, { max, signal: limit, ...(lookup === undefined ? {} : { lookup }) });
  try {
    const statement = readStatement(await get(`${uri}.sig`, largestStatement));
    if (statement === null) return failed('the signature beside the bundle cannot be read');
    if (!isSigned(statement, signingKey)) return failed('the signature is not by the key of the enrolment');
    if (statement.version === running) return failed(`version ${running} runs already`);
    const bundle = await get(uri, largestBundle);
    const digest = createHash('sha256').update(bundle).digest('hex');
    if (digest !== statement.sha256) return failed('the bundle is not the signed one');
    const path = versions.keep(statement.version, bundle.toString('utf8'), JSON.stringify(statement));
    const text = await tryOut(path);
    if (text !== statement.version) return failed(`the bundle does not start as version ${statement.version}`);
    versions.try(statement.version);
    return { error: 0, text: `version ${statement.version} starts now` };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(text: string): ActionResult {
  return { error: 2, text };
}

export function readStatement(bytes: Buffer): SignedVersion | null {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
  const read = asRecord<SignedVersion>(value);
  const version = asText(read.version, 64);
  const sha256 = asText(read.sha256, 64);
  const signature = asText(read.signature, 256);
  if (version === null || sha256 === null || signature === null) return null;
  return versionForm.test(version) && /^[0-9a-f]{64}$/.test(sha256) ? { version, sha256, signature } : null;
}

async function reportedVersion(bundle: string): Promise<string | null> {
  const { code, stdout } = await runTool([process.execPath, bundle, 'version'], { timeout: 30_000 });
  return code === 0 ? stdout.trim() : null;
}
