import { methodText } from '../method-text.ts';

export const passwordText = methodText({
  'zh-CN': {
    heading: '密码上网',
    hint: '输入商家告知的上网密码。',
  },
  en: {
    heading: 'Connect with the password',
    hint: 'With the password that your host tells you.',
  },
});
