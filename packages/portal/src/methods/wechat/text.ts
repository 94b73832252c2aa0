import { methodText } from '../method-text.ts';

export const wechatText = methodText({
  'zh-CN': {
    name: '微信',
    heading: '微信登录',
  },
  en: {
    name: 'WeChat',
    heading: 'WeChat',
  },
});
