import { codeTexts, validation } from '@yunxun/contract/messages/zh-CN';
import { common } from './zh-cn/common.ts';
import { fleet } from './zh-cn/fleet.ts';
import { identity } from './zh-cn/identity.ts';
import { nav } from './zh-cn/nav.ts';
import { planned } from './zh-cn/planned.ts';
import { work } from './zh-cn/work.ts';

/** The Chinese catalogue: the source of the keys that every other language must hold. */
export const messages = {
  ...validation,
  ...codeTexts,
  ...common,
  ...nav,
  ...planned,
  ...identity,
  ...fleet,
  ...work,
} as const;
export type Messages = typeof messages;
