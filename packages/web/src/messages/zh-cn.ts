import { codeTexts, validation } from '@yunxun/contract/messages/zh-CN';
import { common } from './zh-cn/common.ts';
import { identity } from './zh-cn/identity.ts';
import { nav } from './zh-cn/nav.ts';
import { work } from './zh-cn/work.ts';

/** The Chinese texts that every page needs; those of parts come with their screens (parts.ts). */
export const messages = {
  ...validation,
  ...codeTexts,
  ...common,
  ...nav,
  ...identity,
  ...work,
} as const;
