import { request as http, type RequestOptions } from 'node:http';
import { request as https } from 'node:https';
import {
  asCount,
  asText,
  type EdgeSnapshotReason,
  type EdgeSnapshotResult,
  type EdgeToolResult,
  edgeSnapshotLimits,
} from '@yunxun/contract/device';
import { type Target, TargetRefused } from '../remote/target.ts';
import type { ActionResult } from '../system.ts';
import {
  getCapabilities,
  getProfiles,
  getSnapshotUri,
  readMediaAddress,
  readProfile,
  readSnapshotPath,
} from './onvif.ts';

/** Of many makers, without a password. */
const paths = [
  '/onvif-http/snapshot?Profile_1',
  '/ISAPI/Streaming/channels/101/picture',
  '/cgi-bin/snapshot.cgi',
  '/axis-cgi/jpg/image.cgi',
  '/snapshot.jpg',
  '/snap.jpg',
  '/image.jpg',
  '/tmpfs/auto.jpg',
];
const securePorts: ReadonlySet<number> = new Set([443, 8443]);
/** Bytes. */
const maxXml = 64 * 1024;
const atOnce = 2;
let running = 0;

interface Answer {
  status: number;
  body: Buffer;
  isWhole: boolean;
}

export interface SnapshotOptions {
  /** @throws TargetRefused */
  check(authority: string): Target;
  /** By the owner of the host. */
  allowed: boolean;
  limitMs?: number;
}

/** Asks the declared address alone. Stores nothing. */
export async function snapshot(
  params: Readonly<Record<string, unknown>>,
  { check, allowed, limitMs = edgeSnapshotLimits.ms }: SnapshotOptions,
): Promise<ActionResult & { tool?: EdgeToolResult }> {
  if (!allowed) return { error: 2, text: 'the owner of this gateway does not allow remote access (options.json)' };
  const [address, port] = [asText(params.address, 15), asCount(params.port)];
  const done = (result: EdgeSnapshotResult) => ({ error: 0, text: 'Success', tool: { snapshot: result } });
  let target: Target;
  try {
    target = check(`${address}:${port}`);
  } catch (error) {
    if (error instanceof TargetRefused) return done({ reason: 'outside' });
    throw error;
  }
  if (running >= atOnce) return { error: 1, text: 'other pictures are being fetched' };
  running += 1;
  try {
    return done(await takePicture(target, AbortSignal.timeout(limitMs)));
  } finally {
    running -= 1;
  }
}

async function takePicture(target: Target, signal: AbortSignal): Promise<EdgeSnapshotResult> {
  let reason: EdgeSnapshotReason = 'silent';
  const tried = new Set<string>();
  const take = async (path: string | null): Promise<EdgeSnapshotResult | null> => {
    if (path === null || tried.has(path) || signal.aborted) return null;
    tried.add(path);
    const answer = await ask(target, path, signal, edgeSnapshotLimits.bytes);
    if (answer === null) return null;
    const isPicture = answer.status === 200 && isJpeg(answer.body);
    if (isPicture && answer.isWhole) return { picture: answer.body.toString('base64') };
    if (isPicture) reason = 'too_large';
    else if (answer.status === 401 && reason !== 'too_large') reason = 'password';
    else if (reason === 'silent') reason = 'none';
    return null;
  };
  const first = await ask(target, '/onvif/device_service', signal, maxXml, getCapabilities);
  if (first !== null) reason = 'none';
  const ofOnvif = await take(await snapshotPath(target, textOf(first), signal));
  if (ofOnvif) return ofOnvif;
  for (const path of paths) {
    const found = await take(path);
    if (found) return found;
  }
  return { reason };
}

async function snapshotPath(target: Target, capabilities: string, signal: AbortSignal): Promise<string | null> {
  const media = readMediaAddress(capabilities);
  if (media === null) return null;
  const profile = readProfile(textOf(await ask(target, media, signal, maxXml, getProfiles)));
  if (profile === null) return null;
  return readSnapshotPath(textOf(await ask(target, media, signal, maxXml, getSnapshotUri(profile))));
}

const textOf = (answer: Answer | null) => (answer?.status === 200 ? answer.body.toString('utf8') : '');

/** ITU-T T.81. */
const isJpeg = (body: Buffer) => body[0] === 0xff && body[1] === 0xd8 && body[2] === 0xff;

/** Follows no redirect. Sends no secret: certificates need no check. */
function ask(
  { address, port, from }: Target,
  path: string,
  signal: AbortSignal,
  max: number,
  soap?: string,
): Promise<Answer | null> {
  const isSecure = securePorts.has(port);
  const options: RequestOptions = {
    host: address,
    port,
    path,
    localAddress: from,
    agent: false,
    signal,
    ...(soap !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/soap+xml; charset=utf-8', 'content-length': Buffer.byteLength(soap) },
    }),
  };
  const answer = new Promise<Answer | null>((resolve) => {
    const call = isSecure ? https({ ...options, rejectUnauthorized: false }) : http(options);
    call.once('error', () => resolve(null));
    call.once('response', (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      const end = (isWhole: boolean) => {
        call.destroy();
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts), isWhole });
      };
      response.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > max) end(false);
      });
      response.once('end', () => end(true));
      response.once('error', () => resolve(null));
    });
    call.end(soap);
  });
  // invalid path
  return answer.catch(() => null);
}
