import { methodText } from '../method-text.ts';

export const accountText = methodText({
  'zh-CN': {
    name: '访客账号',
    heading: '账号登录',
    account_name: '账号',
  },
  en: {
    name: 'Account',
    heading: 'Account',
    account_name: 'Account name',
  },
});
