export const accountName = { 'zh-CN': '访客账号', en: 'Account' } as const;
