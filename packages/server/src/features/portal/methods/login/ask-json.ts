import { DeliveryError } from '../../../../platform/outbox/message.ts';
import { type Exchange, exchange } from '../../../../platform/outgoing/exchange.ts';
import { Refused } from '../../refused.ts';

type Asked = Pick<Exchange, 'url' | 'privateAddresses'> & { headers?: Exchange['headers']; body?: object };
type Answer = Readonly<Record<string, unknown>>;

const maxAnswer = 64 * 1024;
const timeoutMs = 10_000;

export const queryOf = (address: string, query: Readonly<Record<string, string>>): string =>
  `${address}?${new URLSearchParams(query)}`;

/** Posts a body, or gets. @throws Refused login_unreachable, login_answer */
export async function askJson({ body, headers = {}, ...to }: Asked): Promise<Answer> {
  const sent = body
    ? {
        method: 'POST' as const,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }
    : { method: 'GET' as const, headers };
  const answer = await exchange({ ...to, ...sent, maxAnswer, timeoutMs }).catch((error: unknown) => {
    if (error instanceof DeliveryError) throw new Refused('login_unreachable');
    throw error;
  });
  try {
    const found: unknown = JSON.parse(answer.body.toString());
    if (typeof found === 'object' && found !== null) return found as Answer;
  } catch {
    // answered below
  }
  throw new Refused('login_answer');
}

/** @throws Refused login_answer */
export function textIn(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string' || value === '') throw new Refused('login_answer');
  return value;
}

/** Of a redirect address. @throws Refused login_refused */
export function codeIn(answer: URLSearchParams, name: string): string {
  const code = answer.get(name);
  if (!code) throw new Refused('login_refused');
  return code;
}
