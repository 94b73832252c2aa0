import { methodText } from '../method-text.ts';

export const wecomText = methodText({
  'zh-CN': {
    name: '企业微信',
    heading: '企业微信登录',
  },
  en: {
    name: 'WeCom',
    heading: 'WeCom',
  },
});
