import { expect, test } from 'vitest';
import type { PortalPage } from './draft.ts';
import { ofShop } from './of-shop.ts';

const texts = { title: { zh: '欢迎来到{shop_name}', en: '{shop_name}' }, text: { zh: '', en: '{shop_phone}' } };
const page = { ...texts, terms: { zh: '', en: '' }, logo: 'template' } as unknown as PortalPage;
const picture = { id: 'own', url: '/own.png', bytes: 1 };
const shop = { name: '', phone: '{shop_name}', network: 'Harbour', picture };

test('fills texts once, and takes the name of the network for an empty one', () => {
  const { page: shown } = ofShop({ page, pictures: [], own: false }, shop);
  expect(shown.title).toEqual({ zh: '欢迎来到Harbour', en: 'Harbour' });
  expect(shown.text.en).toBe('{shop_name}');
  expect(ofShop({ page, pictures: [], own: false }, { ...shop, name: 'Cafe' }).page.title.en).toBe('Cafe');
});

test("puts the shop's logo in place of the template's, unless the page is the network's own", () => {
  const replaced = ofShop({ page, pictures: [], own: false }, shop);
  expect([replaced.page.logo, replaced.pictures]).toEqual(['own', [picture]]);
  expect(ofShop({ page, pictures: [], own: true }, shop).page.logo).toBe('template');
  expect(ofShop({ page: { ...page, logo: null }, pictures: [], own: false }, shop).page.logo).toBeNull();
});
