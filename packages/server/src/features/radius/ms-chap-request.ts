import { textOf, vendorAttribute, vendorBytesOf } from './dictionary.ts';
import { authenticatorResponse, challengeBytes, checkMsChap2, failureText, readMsChap2Response } from './ms-chap.ts';
import type { Attribute, Packet } from './packet.ts';

export interface MsChap2Request {
  proves(password: string): boolean;
  /** Of Accept, after `proves` was true. */
  success(): Attribute[];
  failure(): Attribute[];
}

/** Returns null without a whole MS-CHAP2-Response and its challenge (RFC 2548, section 2.3). */
export function msChap2Of(request: Packet): MsChap2Request | null {
  const response = readMsChap2Response(vendorBytesOf(request, 'Microsoft-CHAP2-Response'));
  const challenge = vendorBytesOf(request, 'Microsoft-CHAP-Challenge');
  if (!response || challenge?.length !== challengeBytes) return null;
  const exchange = { challenge, response, username: textOf(request, 'User-Name') ?? '' };
  const answer = (text: string) => Buffer.concat([Buffer.of(response.ident), Buffer.from(text)]);
  let hash: Buffer | null = null;
  return {
    proves(password) {
      hash = checkMsChap2(exchange, password);
      return hash !== null;
    },
    success: () =>
      hash ? [vendorAttribute('Microsoft-CHAP2-Success', answer(authenticatorResponse(exchange, hash)))] : [],
    failure: () => [vendorAttribute('Microsoft-CHAP-Error', answer(failureText()))],
  };
}
