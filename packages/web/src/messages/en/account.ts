import type { account as zh } from '../zh-cn/account.ts';

export const account: Record<keyof typeof zh, string> = {};
