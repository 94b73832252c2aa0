import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refused } from '../refused.ts';
import { askJson, codeIn, queryOf, textIn } from './login/ask-json.ts';
import { byPerson, opensHosts } from './login/by-person.ts';
import type { IdentityProvider, ProviderOptions } from './login/provider.ts';
import type { Method, MethodOf } from './method.ts';

type Settings = MethodOf<'wecom'>;

const maxTokens = 500;
/** Less than the two hours of a token: WeCom limits how often one is fetched. */
const tokenMs = 90 * 60_000;
/** Of tokens that no longer count. */
const staleCodes: ReadonlySet<unknown> = new Set([40_014, 42_001]);

/** App of a company in WeCom (`CorpApp`). Written from its documentation, never run against it. */
export function createWecom({ endpoint, privateAddresses }: ProviderOptions): IdentityProvider<Settings> {
  const pages = endpoint ?? 'https://login.work.weixin.qq.com';
  const api = endpoint ?? 'https://qyapi.weixin.qq.com';
  const tokens = new LRUCache<string, string>({ max: maxTokens, ttl: tokenMs });

  const ask = (path: string, query: Readonly<Record<string, string>>) =>
    askJson({ url: queryOf(`${api}/cgi-bin/${path}`, query), privateAddresses });

  async function tokenOf({ client_id: corpid, client_secret: corpsecret }: Settings): Promise<string> {
    const key = keyOf({ client_id: corpid, client_secret: corpsecret });
    const known = tokens.get(key);
    if (known) return known;
    const answer = await ask('gettoken', { corpid, corpsecret });
    if (answer.errcode) throw new Refused('login_refused');
    const token = textIn(answer, 'access_token');
    tokens.set(key, token);
    return token;
  }

  return {
    async signInUrl({ client_id: appid, agent_id: agentid }, { redirectUri: redirect_uri, state }) {
      return queryOf(`${pages}/wwlogin/sso/login`, { login_type: 'CorpApp', appid, agentid, redirect_uri, state });
    },

    async person(method, _login, answer) {
      const code = codeIn(answer, 'code');
      const who = async () => ask('auth/getuserinfo', { access_token: await tokenOf(method), code });
      let found = await who();
      if (staleCodes.has(found.errcode)) {
        tokens.delete(keyOf(method));
        found = await who();
      }
      if (found.errcode) throw new Refused('login_refused');
      // an `openid` without `userid`: no member of the company
      if (typeof found.userid !== 'string') throw new Refused('login_not_allowed');
      return { issuer: method.client_id, subject: found.userid, name: found.userid, email: null, phone: null };
    },
  };
}

const keyOf = ({ client_id, client_secret }: Pick<Settings, 'client_id' | 'client_secret'>) =>
  createHash('sha256').update(`${client_id}\n${client_secret}`).digest('base64');

export const wecom: Method<'wecom'> = {
  ...byPerson,
  opens: opensHosts('login.work.weixin.qq.com', 'wwcdn.weixin.qq.com'),
  createProvider: createWecom,
};
