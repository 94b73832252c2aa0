import { lists } from './lists.ts';
import { nav } from './nav.ts';
import { work } from './work.ts';

export const inside = { ...nav, ...lists, ...work } as const;
