import { axeWalk } from './axe-walk.ts';

axeWalk('zh-CN', { dark: true });
