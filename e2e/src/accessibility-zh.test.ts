import { axeWalk } from './axe-walk.ts';

axeWalk('zh-CN', 0, 'light');
