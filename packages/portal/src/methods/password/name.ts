export const passwordName = { 'zh-CN': '固定密码', en: 'Fixed password' } as const;
