import type { inside as zh } from '../zh-cn/inside.ts';
import { lists } from './lists.ts';
import { nav } from './nav.ts';
import { work } from './work.ts';

export const inside: Record<keyof typeof zh, string> = { ...nav, ...lists, ...work };
