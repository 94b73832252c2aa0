export const dynamicPasswordName = { 'zh-CN': '动态密码', en: 'Dynamic password' } as const;
