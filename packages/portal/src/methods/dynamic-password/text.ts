import { methodText } from '../method-text.ts';

export const dynamicPasswordText = methodText({
  'zh-CN': {
    name: '动态密码',
    heading: '动态密码上网',
    hint: '输入当前的上网密码，密码会定期更换。',
  },
  en: {
    name: 'Dynamic password',
    heading: 'Connect with the current password',
    hint: 'With the current password, which changes regularly.',
  },
});
