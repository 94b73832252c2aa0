import { type Answer, exchange } from './exchange.ts';

export const postTimeoutMs = 10_000;
const maxAnswer = 64 * 1024;

export interface Outgoing {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  privateAddresses: boolean;
}

/** Posts to a typed address. @throws DeliveryError */
export async function postOutgoing({
  headers,
  body,
  ...to
}: Outgoing): Promise<Omit<Answer, 'body'> & { body: string }> {
  const json = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const answer = await exchange({ method: 'POST', ...to, headers: json, body, maxAnswer, timeoutMs: postTimeoutMs });
  return { ...answer, body: answer.body.toString() };
}
