import { Refused } from '../refused.ts';
import { askJson, codeIn, queryOf, textIn } from './login/ask-json.ts';
import { byPerson, opensHosts } from './login/by-person.ts';
import { mobileOf } from './login/person.ts';
import { type IdentityProvider, isAllowed, type ProviderOptions } from './login/provider.ts';
import type { Method, MethodOf } from './method.ts';

type Settings = MethodOf<'dingtalk'>;

/** App of the DingTalk open platform, on behalf of a user. Written from its documentation, never run against it. */
export function createDingtalk({ endpoint, privateAddresses }: ProviderOptions): IdentityProvider<Settings> {
  const pages = endpoint ?? 'https://login.dingtalk.com';
  const api = endpoint ?? 'https://api.dingtalk.com';

  return {
    async signInUrl({ client_id }, { redirectUri: redirect_uri, state }) {
      const query = { client_id, redirect_uri, state, response_type: 'code', prompt: 'consent' };
      return queryOf(`${pages}/oauth2/auth`, { ...query, scope: 'openid corpid' });
    },

    async person({ client_id: clientId, client_secret: clientSecret, allowed }, _login, answer) {
      const code = codeIn(answer, 'authCode');
      const body = { clientId, clientSecret, code, grantType: 'authorization_code' };
      const tokens = await askJson({ url: `${api}/v1.0/oauth2/userAccessToken`, body, privateAddresses });
      if (tokens.code !== undefined) throw new Refused('login_refused');
      if (!isAllowed(allowed, tokens)) throw new Refused('login_not_allowed');
      const headers = { 'x-acs-dingtalk-access-token': textIn(tokens, 'accessToken') };
      const me = await askJson({ url: `${api}/v1.0/contact/users/me`, headers, privateAddresses });
      if (me.code !== undefined) throw new Refused('login_refused');
      const name = typeof me.nick === 'string' ? me.nick : '';
      return { issuer: clientId, subject: textIn(me, 'unionId'), name, email: null, phone: mobileOf(me.mobile) };
    },
  };
}

export const dingtalk: Method<'dingtalk'> = {
  ...byPerson,
  opens: opensHosts('login.dingtalk.com', 'g.alicdn.com'),
  createProvider: createDingtalk,
};
