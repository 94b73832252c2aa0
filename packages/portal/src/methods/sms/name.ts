export const smsName = { 'zh-CN': '短信验证码', en: 'SMS code' } as const;
