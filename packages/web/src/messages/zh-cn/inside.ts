import { lists } from './lists.ts';
import { nav } from './nav.ts';
import { work } from './work.ts';

/** What every screen behind the sign-in needs, and none before it: menus, lists, jobs. */
export const inside = { ...nav, ...lists, ...work } as const;
