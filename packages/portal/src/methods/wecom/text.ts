import { methodText } from '../method-text.ts';

export const wecomText = methodText({
  'zh-CN': {
    heading: '企业微信登录',
    hint: '使用您的企业微信账号。',
  },
  en: {
    heading: 'WeCom',
    hint: 'With your WeCom account.',
  },
});
