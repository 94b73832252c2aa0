export const wechatName = { 'zh-CN': '微信', en: 'WeChat' } as const;
