import type { PortalError } from '@yunxun/portal';
import { LRUCache } from 'lru-cache';
import * as oauth from 'oauth4webapi';
import { DeliveryError } from '../../../platform/outbox/message.ts';
import { exchange } from '../../../platform/outgoing/exchange.ts';
import { Refused } from '../refused.ts';
import { byPerson } from './login/by-person.ts';
import {
  type IdentityProvider,
  isAllowed,
  type ProviderOptions,
  verifiedEmail,
  verifiedPhone,
} from './login/provider.ts';
import type { Method, MethodOf } from './method.ts';

type Settings = MethodOf<'oidc'>;

const metadataMs = 10 * 60_000;
const maxIssuers = 500;
const maxAnswer = 256 * 1024;
const timeoutMs = 10_000;
const toleranceSeconds = 30;
const algorithms = ['RS256', 'ES256'];

/** OpenID Connect Core 1.0 with the authorization code flow and PKCE (RFC 7636). `privateAddresses` allows HTTP too. */
export function createOidc({ clock, privateAddresses }: Omit<ProviderOptions, 'endpoint'>): IdentityProvider<Settings> {
  const servers = new LRUCache<string, oauth.AuthorizationServer>({ max: maxIssuers, ttl: metadataMs });
  const options = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: privateAddresses };

  async function send(
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> {
    const sent = body === undefined ? {} : { body: String(body) };
    const asked = { method: method as 'GET' | 'POST', url, headers, ...sent, privateAddresses, maxAnswer, timeoutMs };
    const answer = await exchange(asked);
    const status = [200, 400, 401].includes(answer.status) ? answer.status : 502;
    return new Response(answer.body.toString(), { status, headers: { 'content-type': 'application/json' } });
  }

  async function serverOf(issuer: string): Promise<oauth.AuthorizationServer> {
    const known = servers.get(issuer);
    if (known) return known;
    const url = new URL(issuer);
    const answer = await oauth.discoveryRequest(url, options);
    const found = await oauth.processDiscoveryResponse(url, answer);
    const server = { ...found, id_token_signing_alg_values_supported: algorithms };
    servers.set(issuer, server);
    return server;
  }

  return {
    async signInUrl({ issuer, client_id }, { redirectUri, state, nonce, verifier, locale }) {
      return refusing('login_unreachable', async () => {
        const { authorization_endpoint: page = '' } = await serverOf(issuer);
        const url = new URL(page);
        if (url.protocol !== 'https:' && !(privateAddresses && url.protocol === 'http:'))
          throw new Refused('login_unreachable');
        const query = {
          response_type: 'code',
          client_id,
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ui_locales: locale,
        };
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
        return url.href;
      });
    },

    async person({ issuer, client_id, client_secret, allowed }, { redirectUri, state, nonce, verifier }, answer) {
      const server = await refusing('login_unreachable', () => serverOf(issuer));
      const claims = await refusing('login_answer', async () => {
        const skew = Math.round((clock.now().getTime() - Date.now()) / 1000);
        const client = { client_id, [oauth.clockSkew]: skew, [oauth.clockTolerance]: toleranceSeconds };
        const code = oauth.validateAuthResponse(server, client, answer, state);
        const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = server;
        const secret = ways.includes('client_secret_basic') ? oauth.ClientSecretBasic : oauth.ClientSecretPost;
        const sent = [code, redirectUri, verifier, options] as const;
        const response = await oauth.authorizationCodeGrantRequest(server, client, secret(client_secret), ...sent);
        const expected = { expectedNonce: nonce, requireIdToken: true };
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
        await refusing('login_signature', () => oauth.validateApplicationLevelSignature(server, response, options));
        return oauth.getValidatedIdTokenClaims(tokens)!;
      });
      if (!isAllowed(allowed, claims)) throw new Refused('login_not_allowed');
      const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '');
      const name = text('name') || text('preferred_username');
      return { issuer, subject: claims.sub, name, email: verifiedEmail(claims) || null, phone: verifiedPhone(claims) };
    },
  };
}

const byCode: Readonly<Record<string, PortalError>> = {
  [oauth.JWT_TIMESTAMP_CHECK]: 'login_expired',
  [oauth.KEY_SELECTION]: 'login_signature',
  [oauth.RESPONSE_BODY_ERROR]: 'login_refused',
  [oauth.WWW_AUTHENTICATE_CHALLENGE]: 'login_refused',
  [oauth.AUTHORIZATION_RESPONSE_ERROR]: 'login_refused',
};
const byClaim: Readonly<Record<string, PortalError>> = {
  iss: 'login_issuer',
  aud: 'login_audience',
  nonce: 'login_nonce',
};

/** Names what is wrong; `otherwise` for malformed answers. */
async function refusing<T>(otherwise: PortalError, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw error;
    if (error instanceof DeliveryError) throw new Refused('login_unreachable');
    // Web Crypto refuses a malformed key of the issuer
    if (error instanceof DOMException) throw new Refused(otherwise);
    const { code = '', cause } = error as { code?: string; cause?: { claim?: string } };
    const isClaim = code === oauth.JWT_CLAIM_COMPARISON && byClaim[cause?.claim ?? ''];
    if (isClaim) throw new Refused(isClaim);
    if (byCode[code]) throw new Refused(byCode[code]);
    if (code.startsWith('OAUTH_') || code === 'ERR_INVALID_URL') throw new Refused(otherwise);
    throw error;
  }
}

export const oidc: Method<'oidc'> = {
  ...byPerson,
  opens: ({ issuer }) => [issuer],
  createProvider: createOidc,
};
