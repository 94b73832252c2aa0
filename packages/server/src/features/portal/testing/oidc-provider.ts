import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Algorithm = 'RS256' | 'ES256';

export interface Change {
  algorithm?: Algorithm;
  claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the provider does not publish. */
  forged?: boolean;
  /** Weaker than what the console accepts; `HS256` signs with the client's secret. */
  weak?: 'none' | 'HS256';
}

const pairs = () => ({
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
});
const encoded = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url');

function tokenOf(algorithm: Algorithm, key: KeyObject, claims: object): string {
  const text = `${encoded({ alg: algorithm, kid: algorithm })}.${encoded(claims)}`;
  return `${text}.${encoded(sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }))}`;
}

function weakTokenOf(alg: 'none' | 'HS256', secret: string, claims: object): string {
  const text = `${encoded({ alg })}.${encoded(claims)}`;
  return `${text}.${alg === 'none' ? '' : encoded(createHmac('sha256', secret).update(text).digest())}`;
}

/** OpenID provider on loopback that checks the client's secret, redirect address and code verifier. */
export async function startOidcProvider(client: { id: string; secret: string }, now: () => Date) {
  const own = pairs();
  const others = pairs();
  const codes = new Map<string, { query: URLSearchParams; change: Change }>();
  let count = 0;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = request.url ?? '';
    const realm = /^(\/realms\/(?:staff|broken))\/\.well-known\/openid-configuration$/.exec(path)?.[1];
    if (realm) {
      const at = origin + realm;
      return answer(200, {
        issuer: at,
        authorization_endpoint: `${at}/auth`,
        token_endpoint: `${at}/token`,
        jwks_uri: `${at}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      });
    }
    if (path === '/realms/broken/keys')
      return answer(200, { keys: [{ kty: 'RSA', alg: 'RS256', kid: 'RS256', use: 'sig', e: 'AQAB' }] });
    if (path === '/realms/staff/keys')
      return answer(200, {
        keys: (['RS256', 'ES256'] as const).map((alg) => ({
          ...own[alg].publicKey.export({ format: 'jwk' }),
          alg,
          kid: alg,
          use: 'sig',
        })),
      });
    let text = '';
    for await (const part of request) text += String(part);
    const form = new URLSearchParams(text);
    const known = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      known?.query.get('code_challenge') === challenge && known.query.get('redirect_uri') === form.get('redirect_uri');
    if (!isRight || request.headers.authorization !== basic) return answer(400, { error: 'invalid_grant' });
    const { change, query } = known;
    const seconds = Math.floor(now().getTime() / 1000);
    const claims = {
      iss: issuer,
      sub: 'u-1',
      aud: client.id,
      nonce: query.get('nonce'),
      iat: seconds,
      exp: seconds + 300,
      name: 'Ann',
      email: 'Ann@corp.example.com',
      email_verified: true,
      groups: ['staff', 'wifi'],
      ...change.claims,
    };
    const { algorithm = 'RS256', weak } = change;
    const { privateKey } = (change.forged ? others : own)[algorithm];
    const id_token = weak ? weakTokenOf(weak, client.secret, claims) : tokenOf(algorithm, privateKey, claims);
    return answer(200, { access_token: 'a', token_type: 'Bearer', id_token });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}/realms/staff`;
  return {
    issuer,
    /** Publishes a key that is none. */
    brokenIssuer: `${origin}/realms/broken`,
    /** Signs in on the provider's page. @returns query of the redirect address */
    approve(page: string, change: Change = {}): URLSearchParams {
      const { searchParams: query } = new URL(page);
      count += 1;
      const code = `code-${count}`;
      codes.set(code, { query, change });
      return new URLSearchParams({ code, state: query.get('state') ?? '' });
    },
    stop: () => void server.close(),
  };
}
