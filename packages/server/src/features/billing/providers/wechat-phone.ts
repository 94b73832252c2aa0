import { createSign, randomBytes } from 'node:crypto';
import type { PayOrder, PhonePayments } from '../orders/payment-provider.ts';
import type { AdapterDeps, PayHost } from './adapter.ts';
import { ask, successOf } from './ask.ts';

interface PhoneDeps extends Pick<AdapterDeps, 'clock' | 'values' | 'isOn' | 'endpoint'> {
  begin<T>(way: 'h5' | 'jsapi', order: PayOrder, more: object): Promise<T>;
  isReal: boolean;
}

interface Person {
  openid?: string;
  errcode?: number;
}

/** Invalid or used. */
const staleCodes: ReadonlySet<number | undefined> = new Set([40029, 40163]);

/** H5 and JSAPI (pay.weixin.qq.com/doc/v3). The openid is that of the official account whose AppID pays. */
export function createWechatPhone({ clock, values, isOn, begin, endpoint, isReal }: PhoneDeps): PhonePayments {
  const pages = isReal ? 'https://open.weixin.qq.com' : endpoint;
  const api = isReal ? 'https://api.weixin.qq.com' : endpoint;

  return {
    isOn,

    async h5(order, { ip, backUrl }) {
      const scene = { payer_client_ip: ip, h5_info: { type: 'Wap' } };
      const { h5_url } = await begin<{ h5_url: string }>('h5', order, { scene_info: scene });
      return `${h5_url}&redirect_url=${encodeURIComponent(backUrl)}`;
    },

    async personUrl(backUrl, state) {
      const { app_id: appid } = await values();
      const query = { appid, redirect_uri: backUrl, response_type: 'code', scope: 'snsapi_base', state };
      return `${pages}/connect/oauth2/authorize?${new URLSearchParams(query)}#wechat_redirect`;
    },

    async openid(code) {
      const { app_id: appid, app_secret: secret } = await values();
      const query = new URLSearchParams({ appid, secret, code, grant_type: 'authorization_code' });
      const answer = successOf<Person>(await ask(`${api}/sns/oauth2/access_token?${query}`, {}));
      if (answer.openid) return answer.openid;
      if (staleCodes.has(answer.errcode)) return null;
      throw new Error(`WeChat answered ${answer.errcode} instead of an openid`);
    },

    async jsapi(order, openid) {
      const { prepay_id } = await begin<{ prepay_id: string }>('jsapi', order, { payer: { openid } });
      const { app_id: appId, private_key } = await values();
      const timeStamp = String(Math.floor(clock.now().getTime() / 1000));
      const nonceStr = randomBytes(16).toString('hex');
      const about = `prepay_id=${prepay_id}`;
      const paySign = createSign('RSA-SHA256')
        .update(`${appId}\n${timeStamp}\n${nonceStr}\n${about}\n`)
        .sign(private_key, 'base64');
      return { appId, timeStamp, nonceStr, package: about, signType: 'RSA', paySign };
    },
  };
}

export const wechatHosts: readonly PayHost[] = [
  { host: 'wx.tenpay.com', documented: 'pay.weixin.qq.com: h5_url of /v3/pay/transactions/h5' },
  { host: 'open.weixin.qq.com', documented: 'developers.weixin.qq.com: web page authorization' },
  { host: 'res.wx.qq.com', documented: null },
];
