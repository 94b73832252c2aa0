import { messages } from '@yunxun/contract';
import { format } from '@yunxun/contract/messages/format';
import { expect, it } from 'vitest';
import { en, zh } from '../packages/web/src/messages/all.ts';

const templates = Object.entries(messages.messageKinds).map(([kind, { values }]) => [kind, values] as const);
const texts = (template: string) => [`message.${template}.title`, `message.${template}.body`];

/** Values that the console derives from a given one. */
const made: Readonly<Record<string, string>> = { browser: 'user_agent' };

it('has a text for every message, and none without a sender', () => {
  expect(templates.length).toBeGreaterThan(10);
  const worded = Object.keys(zh).filter((key) => key.startsWith('message.'));
  expect(worded.sort()).toEqual(templates.flatMap(([template]) => texts(template)).sort());
});

it.each(templates)('%s is worded with the values it has', (template, values) => {
  for (const catalogue of [zh, en] as readonly Readonly<Record<string, string>>[]) {
    for (const key of texts(template)) {
      const wanted = [...(catalogue[key] ?? '').matchAll(/\{(\w+)[,}]/g)].map(([, name]) => made[name!] ?? name);
      expect(wanted.filter((name) => !(values as readonly string[]).includes(name!))).toEqual([]);
    }
  }
});

it.each(['limitAsked', 'limitLoosening', 'limitLoosened'])('%s says in words that no limit is left', (template) => {
  const params = { person: 'Li', from: '1000.00', to: '—' };
  for (const key of texts(template) as (keyof typeof zh)[]) {
    for (const text of [format('zh-CN', zh[key], params), format('en', en[key], params)])
      expect(text).not.toMatch(/—|[{}]/);
  }
});

it('asks for a removal in the words of a removal', () => {
  const params = { person: 'Li', name: 'b0', kind: 'member_remove' };
  expect(format('en', en['message.twoPersonsAsked.title'], params)).toBe('Li asks to remove the member b0');
  expect(format('zh-CN', zh['message.twoPersonsAsked.title'], params)).toBe('Li 申请移除成员 b0');
});
