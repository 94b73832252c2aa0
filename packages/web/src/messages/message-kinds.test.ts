import type { messages as contract } from '@yunxun/contract';
import { expectTypeOf, it } from 'vitest';
import type { billingNotices } from './zh-cn/billing-notices.ts';
import type { messageTexts } from './zh-cn/message-texts.ts';

type Texts = typeof billingNotices & typeof messageTexts;

it('types a message kind without its type, values or texts as an error', () => {
  expectTypeOf<{ values: readonly string[] }>().not.toExtend<contract.MessageKind>();
  expectTypeOf<{ type: 'system' }>().not.toExtend<contract.MessageKind>();
  expectTypeOf<Texts>().toExtend<Record<contract.MessageText, string>>();
  expectTypeOf<Texts>().not.toExtend<Record<contract.MessageText<contract.MessageTemplate | 'dummy'>, string>>();
});
