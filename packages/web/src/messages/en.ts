import { validation } from '@yunxun/contract/messages/en';
import { common } from './en/common.ts';
import { frame } from './en/frame.ts';
import { identity } from './en/identity.ts';
import type { messages as zh } from './zh-cn.ts';

/** Common English texts; does not compile if a key is missing. */
export const messages: Record<keyof typeof zh, string> = {
  ...validation,
  ...common,
  ...frame,
  ...identity,
};
