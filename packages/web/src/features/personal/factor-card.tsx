import { limits } from '@yunxun/contract/limits';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Card } from '../../ui/page.tsx';
import { Setting, Settings } from '../../ui/setting.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import type { Act, Safety } from './security-overview.ts';

/** Number of recovery codes that triggers a warning; the score uses the same. */
const FEW = 3;

export function renewCodes(show: (codes: readonly string[]) => void): void {
  ask({
    title: t('recovery.renew_title'),
    body: t('recovery.renew_body'),
    confirm: t('recovery.renew'),
    act: async () => {
      const { recovery_codes } = await call('/api/v3/security/recovery/renew', {});
      // after the question has closed and restored the focus
      setTimeout(() => show(recovery_codes));
    },
  });
}

export function FactorCard(props: { safety: Safety; act: (act: Act | 'renew') => void; onChange: () => void }) {
  const { totp_enabled_at: since, recovery_codes_left: left } = props.safety;
  const disable = () =>
    ask({
      title: t('totp.disable_title'),
      body: t('totp.disable_body'),
      losses: [t('totp.disable_codes')],
      confirm: t('totp.disable'),
      danger: true,
      act: async () => {
        await call('/api/v3/security/totp/disable', {});
        notify('ok', t('totp.disabled'));
        props.onChange();
      },
    });
  return (
    <Card title={t('totp.title')} flush className="fill">
      <Settings>
        <Setting
          title={t('totp.app')}
          hint={since ? t('totp.app_on_hint') : t('totp.app_hint')}
          state={
            since ? (
              <span className="row">
                <Tag tone="ok" shape="check">
                  {t('totp.on')}
                </Tag>
                <ShortTime at={since} />
              </span>
            ) : (
              <Tag tone="none" shape="ring">
                {t('totp.off')}
              </Tag>
            )
          }
        >
          {since ? (
            <Button className="btn-bad" onClick={disable}>
              {t('totp.disable')}
            </Button>
          ) : (
            <Button kind="primary" onClick={() => props.act('totp')}>
              {t('totp.enable')}
            </Button>
          )}
        </Setting>
        {since && (
          <Setting
            title={t('recovery.title')}
            hint={t('recovery.hint')}
            state={
              <Tag tone={left < FEW ? 'warn' : 'none'} {...(left < FEW ? { shape: 'triangle' as const } : {})}>
                {t('recovery.left', { n: left, all: limits.recoveryCodes })}
              </Tag>
            }
          >
            <Button onClick={() => props.act('renew')}>{t('recovery.renew')}</Button>
          </Setting>
        )}
      </Settings>
    </Card>
  );
}
