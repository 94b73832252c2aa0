import { methodText } from '../method-text.ts';

export const dynamicPasswordText = methodText({
  'zh-CN': {
    name: '动态密码',
    heading: '动态密码上网',
  },
  en: {
    name: 'Dynamic password',
    heading: 'Connect with the current password',
  },
});
