import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { passkeyObstacle } from '../../app/passkey.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { Setting, Settings } from '../../ui/setting.tsx';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import type { Act, Safety } from './security-overview.ts';

export function PasskeysCard(props: { safety: Safety; act: (act: Act) => void; onChange: () => void }) {
  const { passkeys } = props.safety;
  const obstacle = passkeyObstacle();
  const remove = ({ id, name }: Safety['passkeys'][number]) =>
    ask({
      title: t('passkey.delete_title', { name }),
      body: t('passkey.delete_body'),
      confirm: t('action.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/security/passkey/delete', { id });
        notify('ok', t('passkey.deleted'));
        props.onChange();
      },
    });
  return (
    <Card
      title={t('passkey.title')}
      flush
      className="fill"
      actions={
        <Button
          icon="plus"
          why={obstacle ? t(`passkey.cannot_${obstacle}`) : undefined}
          onClick={() => props.act('passkey')}
        >
          {t('passkey.add')}
        </Button>
      }
    >
      {obstacle && (
        <p className="notice passkey-notice">
          <Icon name="info" size={16} />
          <span>{t(`passkey.cannot_${obstacle}`)}</span>
        </p>
      )}
      {passkeys.length === 0 ? (
        <p className="passkey-none quiet">{t('passkey.none')}</p>
      ) : (
        <Settings>
          {passkeys.map((each) => (
            <Setting
              key={each.id}
              title={each.name}
              hint={
                <>
                  {t('passkey.created')} <ShortTime at={each.created_at} />
                </>
              }
              state={
                each.last_used_at ? (
                  <span className="small">
                    {t('passkey.used')} <RelativeTime at={each.last_used_at} />
                  </span>
                ) : (
                  <span className="small dim">{t('passkey.never_used')}</span>
                )
              }
            >
              <Button
                className="btn-bad"
                aria-label={t('passkey.delete_named', { name: each.name })}
                onClick={() => remove(each)}
              >
                {t('action.delete')}
              </Button>
            </Setting>
          ))}
        </Settings>
      )}
    </Card>
  );
}
