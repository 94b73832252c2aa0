import { expect, test } from 'vitest';
import { loadTexts } from '../../app/i18n.ts';
import { emptyDraft } from './draft.ts';
import { openErrors, pageErrors } from './page-errors.ts';

const { page: empty } = emptyDraft({ zh: '欢迎', en: 'Welcome' });
const page = { ...empty, on: { ...empty.on, logo: true, background: true }, logo: null, background: null };
await loadTexts('portalTemplates');
const wrong = pageErrors(page);
const open = (now: typeof page) =>
  Object.entries(openErrors(wrong, page, now))
    .filter(([, error]) => error)
    .map(([field]) => field);

test('an error ends when its picture is uploaded or its block switched off, and others stay', () => {
  expect(open(page)).toEqual(['page.logo', 'page.background']);
  expect(open({ ...page, logo: 'uploaded' as never })).toEqual(['page.background']);
  expect(open({ ...page, on: { ...page.on, background: false } })).toEqual(['page.logo']);
});
