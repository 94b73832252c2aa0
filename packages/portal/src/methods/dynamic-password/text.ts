import { methodText } from '../method-text.ts';

export const dynamicPasswordText = methodText({
  'zh-CN': {
    heading: '动态密码上网',
    hint: '输入当前的上网密码，密码会定期更换。',
  },
  en: {
    heading: 'Connect with the current password',
    hint: 'With the current password, which changes regularly.',
  },
});
