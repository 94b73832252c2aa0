import { methodText } from '../method-text.ts';

export const passwordText = methodText({
  'zh-CN': {
    name: '固定密码',
    heading: '密码上网',
  },
  en: {
    name: 'Fixed password',
    heading: 'Connect with the password',
  },
});
