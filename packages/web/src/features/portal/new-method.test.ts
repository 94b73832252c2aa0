import type { PortalMethodKind, SettingsMethodKind } from '@yunxun/contract';
import { methodKinds } from '@yunxun/portal/method-names';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { methodNames } from '../../../../portal/src/methods/names.ts';
import { install } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { en } from '../../messages/all.ts';
import { draftOf, emptyDraft, inputOf, newMethod } from '../portal-templates/draft.ts';
import { methodSettings } from '../portal-templates/methods/index.ts';
import type { MethodSettings } from '../portal-templates/methods/method-settings.ts';
import { sessionFilters } from './sessions.tsx';

const badge = 'badge' as PortalMethodKind;
const settings: MethodSettings<{ company: string }> = {
  empty: { company: '' },
  typedFrom: (shown) => ({ company: String((shown as unknown as { company: string }).company) }),
  inputFrom: (typed) => typed as object,
  Fields: () => null,
};

beforeAll(() => {
  install('en', en);
  Object.assign(methodNames, { badge: { 'zh-CN': '工牌', en: 'Badge' } });
  Object.assign(methodSettings, { badge: settings });
});
afterAll(() => {
  for (const record of [methodNames, methodSettings]) Reflect.deleteProperty(record, badge);
});

it('offers a method everywhere once it is declared', () => {
  expect(methodKinds()).toContain(badge);
  const filter = sessionFilters().find(({ name }) => name === 'method');
  expect(filter?.options).toContainEqual({ value: badge, label: 'Badge' });
  expect(methodName(badge)).toBe('Badge');
  const method = { ...newMethod(badge), own: { company: 'ACME' } };
  const saved = inputOf({ ...emptyDraft({ zh: '', en: '' }), methods: [method] });
  expect(saved.methods).toMatchObject([{ kind: 'badge', company: 'ACME', minutes: 240 }]);
  const shown = { ...saved.methods[0]!, password_set: false, secret_set: false };
  const detail = { ...saved, methods: [shown], name: 'Staff' } as unknown as Parameters<typeof draftOf>[0];
  expect(draftOf(detail).methods).toEqual([method]);
});

it('leaves out no form of a method that has settings', () => {
  const { sponsor: _form, ...rest } = methodSettings;
  // @ts-expect-error a method with settings, but without their form
  const incomplete: Record<SettingsMethodKind, object> = rest;
  expect(Object.keys(incomplete)).not.toContain('sponsor');
});
