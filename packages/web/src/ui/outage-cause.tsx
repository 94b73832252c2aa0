import type { OutageCause } from '@yunxun/contract';
import { t } from '../app/i18n.ts';

export function OutageCauseText({ cause }: { cause: OutageCause }) {
  return <span title={t(`outages.about_${cause}`)}>{t(`outages.cause_${cause}`)}</span>;
}
