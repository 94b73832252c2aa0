import type { personal as zh } from '../zh-cn/personal.ts';

export const personal: Record<keyof typeof zh, string> = {};
