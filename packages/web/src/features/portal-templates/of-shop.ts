import type { Data } from '../../app/api.ts';
import type { Picture, PortalPage } from './draft.ts';

interface Site {
  page: PortalPage;
  pictures: readonly Picture[];
  own: boolean;
}
type Shop = Pick<Data<'/api/v3/auth_template/shop/detail'>, 'name' | 'phone' | 'network' | 'picture'>;

type Variables = Readonly<Record<'shop_name' | 'shop_phone', string>>;

export function filledPage(page: PortalPage, values: Variables): PortalPage {
  const filled = (text: string) =>
    text.replace(/\{(shop_name|shop_phone)\}/g, (_, name: string) => values[name as keyof Variables]);
  const both = ({ zh, en }: PortalPage['text']) => ({ zh: filled(zh), en: filled(en) });
  return { ...page, title: both(page.title), text: both(page.text), terms: both(page.terms) };
}

/** Fills texts and logo as the server does for the guests of a network. */
export function ofShop({ page, pictures, own }: Site, shop: Shop): Pick<Site, 'page' | 'pictures'> {
  const filled = filledPage(page, { shop_name: shop.name || shop.network, shop_phone: shop.phone });
  const logo = page.logo !== null && !own ? shop.picture : null;
  return {
    page: { ...filled, logo: logo?.id ?? page.logo },
    pictures: logo ? [...pictures, logo] : pictures,
  };
}
