export const oidcName = { 'zh-CN': '单位账号（OIDC）', en: 'Identity provider (OIDC)' } as const;
