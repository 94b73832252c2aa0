import { axeWalk } from './axe-walk.ts';

axeWalk('en', { dark: false });
