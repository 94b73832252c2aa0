import { createHash, createPublicKey, verify } from 'node:crypto';
import { asRecord, asText } from '@yunxun/contract/device';
import { runTool } from '../apply/executor.ts';
import type { ActionResult } from '../system.ts';
import { type Versions, versionForm } from './versions.ts';

/** What stands beside a bundle, at its address with `.sig` added. */
export interface SignedVersion {
  version: string;
  /** Of the bundle, lower-case hexadecimal. */
  sha256: string;
  /** Ed25519 over `signedText`, base64. */
  signature: string;
}

/** What an upgrade needs. */
export interface UpgradeOptions {
  versions: Versions;
  /** Of the version that runs. */
  running: string;
  /** Public key that was pinned at enrolment, PEM. */
  signingKey: string | null;
  fetch?: typeof fetch;
  /** Starts a bundle once to see whether it can; gives what it says its version is. */
  tryOut?: (bundle: string) => Promise<string | null>;
}

const largestBundle = 32 * 1024 * 1024;
const largestStatement = 4096;
/** All of it within the time that a console waits for the answer. */
const downloadTime = 90_000;

/** The text whose signature counts: product, version and digest, so that no part can be exchanged alone. */
export function signedText({ version, sha256 }: Pick<SignedVersion, 'version' | 'sha256'>): string {
  return `yunxun-edge\n${version}\n${sha256}\n`;
}

/** Whether a statement about a version is signed by this key (SPKI, PEM). */
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
 * Fetches a version and its signed statement, checks signature, digest and that it starts, and makes it the one that the
 * next start runs. The running version stays on disk; the launcher returns to it when the new one is not online in time.
 */
export async function upgradeTo(uri: string, options: UpgradeOptions): Promise<ActionResult> {
  const { versions, running, signingKey, tryOut = versionSaid } = options;
  if (signingKey === null) return failed('the console gave no signing key at enrolment: enrol again to upgrade');
  if (!/^https?:\/\//i.test(uri)) return failed('only http and https addresses');
  const limit = AbortSignal.timeout(downloadTime);
  const get = (address: string, most: number) => download(options.fetch ?? fetch, address, most, limit);
  try {
    const statement = readStatement(await get(`${uri}.sig`, largestStatement));
    if (statement === null) return failed('the signature beside the bundle cannot be read');
    if (!isSigned(statement, signingKey)) return failed('the signature is not by the key of the enrolment');
    if (statement.version === running) return failed(`version ${running} runs already`);
    const bundle = await get(uri, largestBundle);
    const digest = createHash('sha256').update(bundle).digest('hex');
    if (digest !== statement.sha256) return failed('the bundle is not the signed one');
    const path = versions.keep(statement.version, bundle.toString('utf8'));
    const said = await tryOut(path);
    if (said !== statement.version) return failed(`the bundle does not start as version ${statement.version}`);
    versions.try(statement.version);
    return { error: 0, text: `version ${statement.version} starts now` };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(text: string): ActionResult {
  return { error: 2, text };
}

async function download(get: typeof fetch, address: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const response = await get(address, { signal, redirect: 'error' });
  if (!response.ok || response.body === null) throw new Error(`${address} answers ${response.status}`);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    if (size > most) throw new Error(`${address} is larger than ${most} bytes`);
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}

function readStatement(bytes: Buffer): SignedVersion | null {
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

async function versionSaid(bundle: string): Promise<string | null> {
  const { code, stdout } = await runTool([process.execPath, bundle, 'version'], { timeout: 30_000 });
  return code === 0 ? stdout.trim() : null;
}
