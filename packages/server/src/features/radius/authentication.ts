import { type RadiusGuestRefusal, type RadiusRefusal, radius } from '@yunxun/contract';
import { normaliseClientMac } from '@yunxun/contract/device';
import type { Activity } from './activity.ts';
import {
  encodeAnswer,
  messageAuthenticatorCheck,
  messageAuthenticatorOf,
  proofOf,
  readsPassword,
} from './authenticators.ts';
import type { Candidates } from './candidates.ts';
import { addressOf, attribute, textOf, typeOf, vendorAttribute } from './dictionary.ts';
import { type GuestGate, type GuestGrant, type GuestRequest, placeOf } from './guest-gate.ts';
import { type MsChap2Request, msChap2Of } from './ms-chap-request.ts';
import type { Nas } from './nas.ts';
import type { NasIndex } from './nas-index.ts';
import { type Attribute, codes, type Packet } from './packet.ts';
import type { GuestSlot, RejectLimit } from './reject-limit.ts';
import type { RequestSource } from './request-source.ts';

export interface AuthenticationDeps {
  index: NasIndex;
  activity: Activity;
  gate: GuestGate;
  rejects: RejectLimit;
}

const { interimSeconds } = radius.radiusLimits;

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
  candidates: Candidates,
): Promise<Buffer | null> {
  const { activity, index } = deps;
  const speaker = await findSpeaker(deps, request, source, candidates);
  const by = { source, identifier: textOf(request, 'NAS-Identifier'), isSigned: speaker.proof === 'signature' };
  const msChap2 = msChap2Of(request);
  const asked = await redeem(deps, speaker.nases, request, msChap2);
  if (asked.grant) {
    const { nas, grant } = asked;
    await index.prove(nas, by);
    activity.count(nas, 'accepted');
    const proof = msChap2?.success() ?? [];
    const attributes = [...proof, ...grantAttributes(grant), ...proxyStatesOf(request)];
    return encodeAnswer(request, { code: codes.accessAccept, attributes }, nas.secret);
  }
  const nas = rejecting(speaker, source);
  if (!nas) return null;
  if (speaker.proof !== 'none') await index.prove(nas, by);
  if (!asked.mayReject) return null;
  activity.count(nas, 'rejected');
  const attributes = [...(msChap2?.failure() ?? []), ...proxyStatesOf(request)];
  return encodeAnswer(request, { code: codes.accessReject, attributes }, nas.secret);
}

/** Possible senders of a request. */
interface Speaker {
  nases: readonly Nas[];
  proof: 'signature' | 'password' | 'none';
}

/** Returns the client that signed or hid the password, or a few without either. */
async function findSpeaker(
  { activity }: AuthenticationDeps,
  request: Packet,
  source: RequestSource,
  candidates: Candidates,
): Promise<Speaker> {
  const drop = ({ shown }: Candidates, why: Parameters<Activity['refused']>[1]): Speaker => {
    activity.refused(shown, why);
    return { nases: [], proof: 'none' };
  };
  const state = messageAuthenticatorOf(request);
  if (state !== 'absent') {
    const isSignedBy = messageAuthenticatorCheck(request);
    const nas = state === 'present' ? await candidates.find(({ secret }) => isSignedBy(secret)) : null;
    return nas ? { nases: [nas], proof: 'signature' } : drop(candidates, 'wrong_secret');
  }
  // the device's TLS protects them
  const isDevice = source.kind === 'device';
  if (!isDevice && proxyStatesOf(request).length > 0) return drop(candidates, 'proxy_state');
  const lenient = isDevice ? candidates : candidates.only((nas) => !nas.requireMa && nas.source !== null);
  if (lenient.isEmpty) return drop(candidates, 'missing_ma');
  const reads = readsPassword(request);
  if (!reads) return { nases: await lenient.few(), proof: 'none' };
  const nas = await lenient.find(({ secret }) => reads(secret));
  return nas ? { nases: [nas], proof: 'password' } : drop(lenient, 'wrong_secret');
}

/** CHAP proves no secret: only a client that was proven before rejects. */
function rejecting({ nases, proof }: Speaker, source: RequestSource): Nas | null {
  const able = proof !== 'none' || source.kind === 'device' ? nases : nases.filter((nas) => nas.provenAt);
  // a reject could be signed with another account's secret
  return able.length === 1 ? able[0]! : null;
}

type Asked = { grant: GuestGrant; nas: Nas } | { grant: null; mayReject: boolean };

/** A client that rejected too much does not keep another from accepting. */
async function redeem(
  { activity, gate, rejects }: AuthenticationDeps,
  nases: readonly Nas[],
  request: Packet,
  msChap2: MsChap2Request | null,
): Promise<Asked> {
  const username = textOf(request, 'User-Name') ?? '';
  const mac = normaliseClientMac(textOf(request, 'Calling-Station-Id'));
  const asked: Omit<GuestRequest, 'proves'> = {
    username,
    mac,
    ip: addressOf(request),
    acctSessionId: textOf(request, 'Acct-Session-Id'),
  };
  const refusals: { nas: Nas; why: RadiusRefusal }[] = [];
  const rejected: GuestSlot[] = [];
  let mayReject = true;
  for (const nas of nases) {
    const slot = await rejects.take(nas.id, mac ?? username);
    if (!slot) {
      mayReject = false;
      refusals.push({ nas, why: 'too_many' });
      continue;
    }
    const proves = msChap2?.proves ?? proofOf(request, nas.secret);
    let grant: GuestGrant | RadiusGuestRefusal = 'unknown_user';
    try {
      if (proves && username) grant = await gate.redeem(placeOf(nas), { ...asked, proves });
    } catch (error) {
      slot.release();
      throw error;
    }
    if (typeof grant !== 'string') {
      for (const other of [slot, ...rejected]) other.release();
      return { grant, nas };
    }
    mayReject = slot.reject() && mayReject;
    rejected.push(slot);
    refusals.push({ nas, why: proves ? grant : 'no_password' });
  }
  for (const { nas, why } of refusals) activity.refused([nas], why);
  return { grant: null, mayReject };
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
