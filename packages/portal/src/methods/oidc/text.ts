import { methodText } from '../method-text.ts';

export const oidcText = methodText({
  'zh-CN': {
    name: '单位账号（OIDC）',
    heading: '单位账号登录',
    hint: '使用单位的登录页面。',
  },
  en: {
    name: 'Identity provider (OIDC)',
    heading: 'Account of your organisation',
    hint: 'On the sign-in page of your organisation.',
  },
});
