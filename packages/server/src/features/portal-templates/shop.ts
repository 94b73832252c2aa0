import type { portalShops as contract, DataOf, InputOf, PortalPage } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { Pictures } from './pictures.ts';

type Contract = typeof contract;

interface ShopTables {
  portal_shop: { account_id: string; gwid: string; name: string; phone: string; logo: string | null };
}
type Shop = Pick<ShopTables['portal_shop'], 'name' | 'phone' | 'logo'>;

const db = (tx: Tx) => tables<ShopTables>(tx);
const none: Shop = { name: '', phone: '', logo: null };

async function findShop(tx: Tx, accountId: string, gwid: string): Promise<Shop> {
  const row = await db(tx)
    .selectFrom('portal_shop')
    .select(['name', 'phone', 'logo'])
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .executeTakeFirst();
  return row ?? none;
}

const variable = /\{(shop_name|shop_phone)\}/g;

/** One pass: a value that looks like a variable stays text. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(variable, (_, name: string) => values[name]!);
}

/** Puts the shop's name and phone into the texts of a page, and its logo in place of a template's. */
export async function pageOfShop(
  tx: Tx,
  { accountId, gwid, isOwn }: { accountId: string; gwid: string; isOwn: boolean },
  page: PortalPage,
): Promise<PortalPage> {
  const takesLogo = page.logo !== null && !isOwn;
  const texts = [page.title, page.text, page.terms].flatMap(({ zh, en }) => [zh, en]);
  // most pages name nothing: every request of a guest comes here
  if (!takesLogo && texts.every((text) => text.search(variable) < 0)) return page;
  const shop = await findShop(tx, accountId, gwid);
  const network = shop.name === '' ? ((await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '') : '';
  const values = { shop_name: shop.name || network, shop_phone: shop.phone };
  const both = ({ zh, en }: PortalPage['text']) => ({ zh: filled(zh, values), en: filled(en, values) });
  return {
    ...page,
    title: both(page.title),
    text: both(page.text),
    terms: both(page.terms),
    // a page of the network's own chose its logo itself
    logo: takesLogo ? (shop.logo ?? page.logo) : page.logo,
  };
}

export function createShops({ pictures }: { pictures: Pick<Pictures, 'byId' | 'useOne'> }) {
  const nameOf = async (tx: Tx, accountId: string, gwid: string) =>
    (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? gwid;
  return {
    async detail(tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['detail']>> {
      const shop = await findShop(tx, accountId, gwid);
      const picture = shop.logo === null ? null : (await pictures.byId(tx, accountId, [shop.logo])).get(shop.logo);
      return { ...shop, network: await nameOf(tx, accountId, gwid), picture: picture ?? null };
    },

    /** @throws Invalid for a picture that is no logo of the account */
    async save(tx: Tx, acting: Acting, { gwid, ...shop }: InputOf<Contract['save']>): Promise<Record<string, never>> {
      const { accountId } = acting;
      if (shop.logo !== undefined) await pictures.useOne(tx, accountId, { slot: 'logo', field: 'logo', id: shop.logo });
      const before = await findShop(tx, accountId, gwid);
      await db(tx)
        .insertInto('portal_shop')
        .values({ account_id: accountId, gwid, ...none, ...shop })
        .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet({ gwid, ...shop }))
        .execute();
      await record(tx, acting, {
        action: 'portal.shop_save',
        object: { type: 'portal', id: gwid, name: await nameOf(tx, accountId, gwid) },
        gwid,
        before,
        after: { ...before, ...shop },
      });
      return {};
    },
  };
}
