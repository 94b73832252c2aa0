import type { installation as zh } from '../zh-cn/installation.ts';

export const installation: Record<keyof typeof zh, string> = {};
