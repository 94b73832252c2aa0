import { axeWalk } from './axe-walk.ts';

axeWalk('en', 1, 'dark');
