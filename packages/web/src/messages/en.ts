import { codeTexts, validation } from '@yunxun/contract/messages/en';
import { common } from './en/common.ts';
import { fleet } from './en/fleet.ts';
import { identity } from './en/identity.ts';
import { nav } from './en/nav.ts';
import { planned } from './en/planned.ts';
import { work } from './en/work.ts';
import type { Messages } from './zh-cn.ts';

/** The English catalogue; a key missing here does not compile. */
export const messages: Record<keyof Messages, string> = {
  ...validation,
  ...codeTexts,
  ...common,
  ...nav,
  ...planned,
  ...identity,
  ...fleet,
  ...work,
};
