import { normaliseClientMac } from '@yunxun/contract/device';
import type { Log } from '../../platform/log.ts';
import type { Activity } from './activity.ts';
import {
  encodeAnswer,
  hasMessageAuthenticator,
  looksMisread,
  messageAuthenticatorOf,
  proofOf,
} from './authenticators.ts';
import { addressOf, attribute, bytesOf, textOf, typeOf, vendorAttribute } from './dictionary.ts';
import { type GuestGate, type GuestGrant, type GuestRequest, placeOf } from './guest-gate.ts';
import { type MsChap2Request, msChap2Of } from './ms-chap-request.ts';
import type { Nas, NasIndex } from './nas-index.ts';
import { type Attribute, codes, type Packet } from './packet.ts';
import type { RejectLimit } from './reject-limit.ts';
import type { RequestSource } from './request-source.ts';

export interface AuthenticationDeps {
  index: NasIndex;
  activity: Activity;
  gate: GuestGate;
  rejects: RejectLimit;
  log: Log;
}

/** Seconds; followed by uspot, CoovaChilli and MikroTik. */
export const interimSeconds = 300;

const proxyState = typeOf('Proxy-State');

/** RFC 2865, section 5.33: repeated unchanged and in order. */
export const proxyStatesOf = ({ attributes }: Packet): Attribute[] =>
  attributes.filter(({ type }) => type === proxyState);

/**
 * Returns null if nothing proves the secret.
 * @throws what the gate throws
 */
export async function authenticate(
  deps: AuthenticationDeps,
  request: Packet,
  source: RequestSource,
  candidates: readonly Nas[],
): Promise<Buffer | null> {
  const { activity } = deps;
  const able = await provenCandidates(deps, request, source, candidates);
  for (const nas of able) {
    const msChap2 = msChap2Of(request);
    const grant = await redeem(deps, nas, request, msChap2);
    if (grant === 'rejected') continue;
    if (grant === 'limited') return null;
    activity.count(nas, 'accepted');
    const proof = msChap2?.success() ?? [];
    const attributes = [...proof, ...grantAttributes(grant), ...proxyStatesOf(request)];
    return encodeAnswer(request, { code: codes.accessAccept, attributes }, nas.secret);
  }
  const [nas] = able;
  // a reject could be signed with another account's secret
  if (!nas || able.length > 1) return null;
  activity.count(nas, 'rejected');
  const attributes = [...(msChap2Of(request)?.failure() ?? []), ...proxyStatesOf(request)];
  return encodeAnswer(request, { code: codes.accessReject, attributes }, nas.secret);
}

/** Returns clients that proved the secret, or need not. */
async function provenCandidates(
  { index, activity, log }: AuthenticationDeps,
  request: Packet,
  source: RequestSource,
  candidates: readonly Nas[],
): Promise<readonly Nas[]> {
  const drop = (nases: readonly Nas[], why: Parameters<Activity['refused']>[1]): [] => {
    activity.refused(nases, why);
    return [];
  };
  const state = messageAuthenticatorOf(request);
  if (state === 'invalid') return drop(candidates, 'wrong_secret');
  if (state === 'present') {
    const nas = candidates.find(({ secret }) => hasMessageAuthenticator(request, secret));
    if (!nas) return drop(candidates, 'wrong_secret');
    if (!nas.requireMa && source.kind === 'udp')
      await index.latch(nas).catch((error: unknown) => log.error({ err: error }, 'RADIUS client not latched'));
    return [nas];
  }
  // the device's TLS protects them
  if (source.kind === 'device') return candidates;
  if (proxyStatesOf(request).length > 0) return drop(candidates, 'proxy_state');
  const lenient = candidates.filter((nas) => !nas.requireMa && nas.source !== null);
  return lenient.length > 0 ? lenient : drop(candidates, 'missing_ma');
}

async function redeem(
  { activity, gate, rejects }: AuthenticationDeps,
  nas: Nas,
  request: Packet,
  msChap2: MsChap2Request | null,
): Promise<GuestGrant | 'rejected' | 'limited'> {
  const username = textOf(request, 'User-Name') ?? '';
  const mac = normaliseClientMac(textOf(request, 'Calling-Station-Id'));
  const guest = mac ?? username;
  if (rejects.isOver(nas.id, guest)) {
    activity.refused([nas], 'too_many');
    return 'limited';
  }
  const proves = msChap2?.proves ?? proofOf(request, nas.secret);
  const asked: Omit<GuestRequest, 'proves'> = {
    ...{ username, mac, ip: addressOf(request), acctSessionId: textOf(request, 'Acct-Session-Id') },
  };
  const grant = proves && username ? await gate.redeem(placeOf(nas), { ...asked, proves }) : null;
  if (grant) return grant;
  const mayAnswer = rejects.note(nas.id, guest);
  const misread = looksMisread(request, nas.secret);
  if (misread) activity.refused([nas], 'wrong_secret');
  else if (proves) activity.refused([nas], 'unknown_user');
  else activity.refused([nas], bytesOf(request, 'User-Password') ? 'wrong_secret' : 'no_password');
  return mayAnswer ? 'rejected' : 'limited';
}

/** Formats limits for uspot, CoovaChilli and MikroTik. */
function grantAttributes({ sessionId, limits, secondsLeft, maxBytes }: GuestGrant): Attribute[] {
  const { up_kbps: up, down_kbps: down } = limits;
  const attributes = [attribute('Class', Buffer.from(sessionId)), attribute('Acct-Interim-Interval', interimSeconds)];
  if (secondsLeft !== null) attributes.push(attribute('Session-Timeout', secondsLeft));
  // ChilliSpot's has 32 bits; accounting ends larger amounts
  if (maxBytes > 0)
    attributes.push(
      vendorAttribute('ChilliSpot-Max-Total-Octets', Math.min(maxBytes, 2 ** 32 - 1)),
      vendorAttribute('MikroTik-Total-Limit', maxBytes % 2 ** 32),
      vendorAttribute('MikroTik-Total-Limit-Gigawords', Math.floor(maxBytes / 2 ** 32)),
    );
  // bit/s and kbit/s
  if (up > 0)
    attributes.push(
      vendorAttribute('WISPr-Bandwidth-Max-Up', up * 1000),
      vendorAttribute('ChilliSpot-Bandwidth-Max-Up', up),
    );
  if (down > 0)
    attributes.push(
      vendorAttribute('WISPr-Bandwidth-Max-Down', down * 1000),
      vendorAttribute('ChilliSpot-Bandwidth-Max-Down', down),
    );
  // a router receives the guest's upload; 0: no limit
  if (up > 0 || down > 0) attributes.push(vendorAttribute('MikroTik-Rate-Limit', `${up}k/${down}k`));
  return attributes;
}
