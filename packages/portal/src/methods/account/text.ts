import { methodText } from '../method-text.ts';

export const accountText = methodText({
  'zh-CN': {
    heading: '账号登录',
    hint: '使用管理员提供的账号和密码。',
    account_name: '账号',
  },
  en: {
    heading: 'Account',
    hint: 'With the name and password that you were given.',
    account_name: 'Account name',
  },
});
