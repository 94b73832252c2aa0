import { methodText } from '../method-text.ts';

export const oidcText = methodText({
  'zh-CN': {
    heading: '单位账号登录',
    hint: '使用单位的登录页面。',
  },
  en: {
    heading: 'Account of your organisation',
    hint: 'On the sign-in page of your organisation.',
  },
});
