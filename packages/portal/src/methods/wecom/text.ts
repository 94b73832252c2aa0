import { methodText } from '../method-text.ts';

export const wecomText = methodText({
  'zh-CN': {
    name: '企业微信',
    heading: '企业微信登录',
    hint: '使用您的企业微信账号。',
  },
  en: {
    name: 'WeCom',
    heading: 'WeCom',
    hint: 'With your WeCom account.',
  },
});
