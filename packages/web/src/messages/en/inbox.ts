import type { inbox as zh } from '../zh-cn/inbox.ts';

export const inbox: Record<keyof typeof zh, string> = {};
