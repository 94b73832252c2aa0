import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { join } from 'node:path';

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
/** Labs have certificates of their own. */
const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 256, rejectUnauthorized: false });

export interface Answer<T = unknown> {
  status: number;
  code: number;
  message: string;
  data: T;
  token?: string;
}

/** Keeps the connection, by default from a unique address. Rejects on a break: unknown outcome. */
export function post<T = unknown>(
  url: string,
  path: string,
  body: unknown,
  token?: string,
  address?: string,
): Promise<Answer<T>> {
  return send<T>(url, path, 'POST', JSON.stringify(body), token, address);
}

export function postText<T = unknown>(url: string, path: string, text: string, token: string): Promise<Answer<T>> {
  return send<T>(url, path, 'POST', text, token);
}

export function get<T = unknown>(url: string, path: string, token?: string): Promise<Answer<T>> {
  return send<T>(url, path, 'GET', null, token);
}

function send<T>(
  url: string,
  path: string,
  method: string,
  body: string | null,
  token?: string,
  address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const isTls = url.startsWith('https:');
    const call = (isTls ? requestTls : request)(
      url + path,
      {
        agent: isTls ? tlsAgent : agent,
        method,
        headers: {
          localization: 'en',
          // limits are per address; loopback proxies are trusted
          'x-forwarded-for': address,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          try {
            const answer = JSON.parse(Buffer.concat(chunks).toString()) as Omit<Answer<T>, 'status'>;
            resolve({ ...answer, status: response.statusCode ?? 0 });
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    call.once('error', reject);
    call.end(body);
  });
}

export interface Owner {
  email: string;
  password: string;
  token: string;
  accountId: string;
  bindingCode: string;
}

export async function register(url: string, dataDir: string): Promise<Owner> {
  const email = `owner${randomBytes(6).toString('hex')}@example.com`;
  const password = 'correct1horse';
  await expectDone(post(url, '/api/v3/register/get_email_code', { email }));
  const code = outboxCode(dataDir, email);
  const { token } = await expectDone(
    post(url, '/api/v3/register', { email, email_code: code, password, confirm_password: password }),
  );
  return { email, password, ...(await identify(url, token ?? '')) };
}

export async function identify(url: string, token: string): Promise<Omit<Owner, 'email' | 'password'>> {
  const { data } = await expectDone(get<{ account_id: string; account_code: string }>(url, '/api/v3/user', token));
  return { token, accountId: data.account_id, bindingCode: data.account_code };
}

export async function expectDone<T>(asked: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await asked;
  if (answer.code !== 2000) throw new Error(`HTTP ${answer.status}, ${answer.code}: ${answer.message}`);
  return answer;
}

export function outboxCode(dataDir: string, to: string): string {
  const file = join(dataDir, 'outbox.ndjson');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const line = lines.findLast((text) => text.includes(`"${to}"`));
  if (!line) throw new Error(`the outbox has nothing for ${to}`);
  return (JSON.parse(line) as { params: { code: string } }).params.code;
}
