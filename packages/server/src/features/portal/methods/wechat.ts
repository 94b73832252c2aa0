import { Refused } from '../refused.ts';
import { askJson, codeIn, queryOf, textIn } from './login/ask-json.ts';
import { byPerson, opensHosts } from './login/by-person.ts';
import type { IdentityProvider, ProviderOptions } from './login/provider.ts';
import type { Method, MethodOf } from './method.ts';

type Settings = MethodOf<'wechat'>;

/** Website app of the WeChat Open Platform (`snsapi_login`). Written from its documentation, never run against it. */
export function createWechat({ endpoint, privateAddresses }: ProviderOptions): IdentityProvider<Settings> {
  const pages = endpoint ?? 'https://open.weixin.qq.com';
  const api = endpoint ?? 'https://api.weixin.qq.com';

  /** @throws Refused login_refused */
  async function ask(path: string, query: Readonly<Record<string, string>>) {
    const answer = await askJson({ url: queryOf(`${api}${path}`, query), privateAddresses });
    if (answer.errcode) throw new Refused('login_refused');
    return answer;
  }

  return {
    async signInUrl({ client_id: appid }, { redirectUri: redirect_uri, state }) {
      const query = { appid, redirect_uri, response_type: 'code', scope: 'snsapi_login', state };
      return `${queryOf(`${pages}/connect/qrconnect`, query)}#wechat_redirect`;
    },

    async person({ client_id: appid, client_secret: secret }, _login, answer) {
      const code = codeIn(answer, 'code');
      const tokens = await ask('/sns/oauth2/access_token', { appid, secret, code, grant_type: 'authorization_code' });
      const openid = textIn(tokens, 'openid');
      const access_token = textIn(tokens, 'access_token');
      const { nickname } = await ask('/sns/userinfo', { access_token, openid, lang: 'zh_CN' });
      const name = typeof nickname === 'string' ? nickname : '';
      return { issuer: appid, subject: openid, name, email: null, phone: null };
    },
  };
}

export const wechat: Method<'wechat'> = {
  ...byPerson,
  opens: opensHosts('open.weixin.qq.com', 'lp.open.weixin.qq.com', 'res.wx.qq.com'),
  createProvider: createWechat,
};
