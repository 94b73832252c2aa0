import { methodText } from '../method-text.ts';

export const wechatText = methodText({
  'zh-CN': {
    heading: '微信登录',
    hint: '用微信扫描二维码。',
  },
  en: {
    heading: 'WeChat',
    hint: 'Scan a QR code with WeChat.',
  },
});
