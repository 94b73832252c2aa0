import { methodText } from '../method-text.ts';

export const dingtalkText = methodText({
  'zh-CN': {
    heading: '钉钉登录',
    hint: '使用您的钉钉账号。',
  },
  en: {
    heading: 'DingTalk',
    hint: 'With your DingTalk account.',
  },
});
