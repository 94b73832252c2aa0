import { methodText } from '../method-text.ts';

export const dingtalkText = methodText({
  'zh-CN': {
    name: '钉钉',
    heading: '钉钉登录',
    hint: '使用您的钉钉账号。',
  },
  en: {
    name: 'DingTalk',
    heading: 'DingTalk',
    hint: 'With your DingTalk account.',
  },
});
