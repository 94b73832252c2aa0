import { t } from '../../app/i18n.ts';

/** Names of devices repeat between networks. */
export function TargetFacts({ name, network }: { name: string; network: string }) {
  return (
    <dl className="facts">
      <dt>{t('remote.target')}</dt>
      <dd>{name}</dd>
      <dt>{t('remote.network')}</dt>
      <dd>{network || '—'}</dd>
    </dl>
  );
}
