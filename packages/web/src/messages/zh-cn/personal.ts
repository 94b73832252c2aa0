export const personal = {} as const;
