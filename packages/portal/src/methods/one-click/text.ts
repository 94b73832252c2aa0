import { methodText } from '../method-text.ts';

export const oneClickText = methodText({
  'zh-CN': {
    heading: '一键上网',
    hint: '无需账号和密码。',
  },
  en: {
    heading: 'Connect with one click',
    hint: 'Without a code or an account.',
  },
});
