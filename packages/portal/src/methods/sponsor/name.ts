export const sponsorName = { 'zh-CN': '接待人同意', en: 'Approval by a host' } as const;
