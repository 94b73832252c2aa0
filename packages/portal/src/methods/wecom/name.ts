export const wecomName = { 'zh-CN': '企业微信', en: 'WeCom' } as const;
