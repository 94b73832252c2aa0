import type { DataOf, portal } from '@yunxun/contract';
import type { Goods } from '../../billing/index.ts';
import { hasPublicName } from '../edge-section.ts';
import type { Published } from '../published.ts';
import type { SiteTable } from '../tables.ts';
import { sells, whitelistHosts } from '../whitelist.ts';

export interface PaymentCheckDeps {
  goods: { purchases: Pick<Goods['purchases'], 'payNeeds'> };
  config: { publicUrl: string };
}

interface PaymentFacts {
  site: SiteTable | null;
  published: Published | null;
  passes: boolean;
}

type Found = Omit<DataOf<typeof portal.check>['checks'][number], 'step'>;

/** WeChat Pay does not say what is registered. */
export function createPaymentCheck({ goods, config }: PaymentCheckDeps) {
  return async ({ site, published, passes }: PaymentFacts): Promise<Found> => {
    const unneeded: Found = { state: 'unneeded', finding: 'unneeded', name: null };
    if (!site || !published || !sells(published.content)) return unneeded;
    const { hosts, ways } = await goods.purchases.payNeeds();
    if (hosts.length === 0) return unneeded;
    const { host, origin } = new URL(config.publicUrl);
    if (ways.length > 0 && !hasPublicName(origin)) return { state: 'wrong', finding: 'pay_no_name', name: origin };
    const open = whitelistHosts(published.content);
    const closed = hosts.find((one) => !open.some((domain) => one === domain || one.endsWith(`.${domain}`)));
    if (closed && !(site.gateway === 'edge' ? passes : site.pay_hosts))
      return { state: 'wrong', finding: 'pay_closed', name: closed };
    const [way] = ways;
    if (!way) return { state: 'ok', finding: 'fine', name: null };
    return { state: 'unknown', finding: ways.length > 1 ? 'pay_both' : `pay_${way}`, name: host };
  };
}
