import { validation } from '@yunxun/contract/messages/zh-CN';
import { common } from './zh-cn/common.ts';
import { frame } from './zh-cn/frame.ts';
import { identity } from './zh-cn/identity.ts';

export const messages = {
  ...validation,
  ...common,
  ...frame,
  ...identity,
} as const;
