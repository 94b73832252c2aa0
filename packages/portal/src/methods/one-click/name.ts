export const oneClickName = { 'zh-CN': '一键上网', en: 'One click' } as const;
