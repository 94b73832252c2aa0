export const dingtalkName = { 'zh-CN': '钉钉', en: 'DingTalk' } as const;
