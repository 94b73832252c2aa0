import { methodText } from '../method-text.ts';

export const dingtalkText = methodText({
  'zh-CN': {
    name: '钉钉',
    heading: '钉钉登录',
  },
  en: {
    name: 'DingTalk',
    heading: 'DingTalk',
  },
});
