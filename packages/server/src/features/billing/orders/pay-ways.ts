import { payBrowserOf } from './pay-browser.ts';
import { appPage, bridgePage, openPage, type PayPage, type PayText, payFrame, qrPage } from './pay-views.ts';
import {
  BegunElsewhere,
  type PaymentProvider,
  type PayOrder,
  type PayTarget,
  type PhonePayments,
} from './payment-provider.ts';

export interface PayVisit {
  agent: string;
  ip: string;
  address: string;
  publicUrl: string;
  query: { go?: string; code?: string; state?: string };
}

export type PayAnswer = { to: string } | PayPage;

interface Asked {
  provider: PaymentProvider;
  order: PayOrder;
  visit: PayVisit;
  text: PayText;
  locale: 'zh-CN' | 'en';
}

const retried = 'again';

function asAnswer(asked: Asked, target: PayTarget): PayAnswer {
  const { text, locale } = asked;
  if (target === 'over') return { html: payFrame(text('over'), locale, '') };
  return 'url' in target ? { to: target.url } : qrPage(asked, target.qr);
}

const withGo = (address: string) => `${address}&go=1`;

const plainIp = (ip: string) => ip.replace(/^::ffff:/, '');

async function inWechat(asked: Asked, phone: PhonePayments): Promise<PayAnswer> {
  const { order, visit } = asked;
  const { code, state } = visit.query;
  const openid = code ? await phone.openid(code) : null;
  if (openid !== null) {
    const request = await phone.jsapi(order, openid);
    return bridgePage(asked, { request, back: order.returnUrl ?? visit.publicUrl });
  }
  if (code && state === retried) throw new Error('WeChat does not say who pays');
  return { to: await phone.personUrl(visit.publicUrl, code ? retried : 'pay') };
}

async function onPhone(asked: Asked, phone: PhonePayments): Promise<PayAnswer> {
  const { order, visit } = asked;
  const backUrl = order.returnUrl ?? visit.publicUrl;
  return appPage(asked, {
    href: await phone.h5(order, { ip: plainIp(visit.ip), backUrl }),
    again: visit.address,
  });
}

/** @throws Error if the provider does not answer */
export async function payAnswerOf(asked: Asked): Promise<PayAnswer> {
  const { provider, order, visit, text, locale } = asked;
  const { phone, elsewhere = {} } = provider;
  const browser = payBrowserOf(visit.agent);
  const [h5, jsapi] = phone ? await Promise.all([phone.isOn('h5'), phone.isOn('jsapi')]) : [false, false];
  const hindrance = phone && !h5 && !jsapi ? undefined : elsewhere[browser];
  if (hindrance && !(visit.query.go && hindrance === 'unsure')) {
    const label = text(phone ? 'open_code' : 'open_here');
    const here = hindrance === 'unsure' ? { href: withGo(visit.address), label } : null;
    return openPage(asked, { address: visit.address, here });
  }
  try {
    if (phone && jsapi && browser === 'wechat') return await inWechat(asked, phone);
    if (phone && h5 && browser === 'phone') return await onPhone(asked, phone);
    return asAnswer(asked, await provider.create(order));
  } catch (error) {
    if (!(error instanceof BegunElsewhere)) throw error;
    if (browser !== 'phone' && browser !== 'wechat') return { html: payFrame(text('elsewhere'), locale, '') };
    const target = await provider.create(order).catch((again: Error) => {
      if (again instanceof BegunElsewhere) return null;
      throw again;
    });
    return target ? asAnswer(asked, target) : { html: payFrame(text('elsewhere'), locale, '') };
  }
}
