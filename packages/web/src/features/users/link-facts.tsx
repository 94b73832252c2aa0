import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { bitRate, percent } from '../../ui/format.ts';

const none = <span className="dim">—</span>;

export function LinkFacts({ data }: { data: Data<'/api/v3/user_online/detail'> }) {
  const { link, link_missing: why } = data;
  if (!link) {
    return (
      <>
        <dt>{t('users.link')}</dt>
        <dd className="dim">{t(`users.link_${why ?? 'unreported'}`)}</dd>
      </>
    );
  }
  const rate = (kbps: number | null) => (kbps === null ? '—' : bitRate(kbps * 1000));
  return (
    <>
      <dt>{t('users.link_rate')}</dt>
      <dd>{t('users.link_rates', { down: rate(link.down_kbps), up: rate(link.up_kbps) })}</dd>
      <dt>{t('users.link_generation')}</dt>
      <dd>{link.generation === null ? none : t('users.link_wifi', { n: link.generation })}</dd>
      <dt>{t('users.link_channel')}</dt>
      <dd>
        {link.channel === null
          ? none
          : link.width === null
            ? link.channel
            : t('users.link_width', { channel: link.channel, width: link.width })}
      </dd>
      <dt>{t('users.link_snr')}</dt>
      <dd>{link.snr_db === null ? none : t('users.link_db', { n: Math.round(link.snr_db) })}</dd>
      <dt title={t('users.link_retries_hint')}>{t('users.link_retries')}</dt>
      <dd>{link.retry_pct === null ? none : percent(link.retry_pct)}</dd>
    </>
  );
}
