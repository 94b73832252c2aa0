import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { refreshUser } from '../../app/session.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Card } from '../../ui/page.tsx';
import { notify } from '../../ui/toast.tsx';

/** The code that devices enrol with into the account acted in, and its replacement. */
export function BindingCodeCard() {
  const { account_code: code, account_name: account } = useUser();
  const mayBind = useMay('network.bind');
  if (!code) return null;
  const rotate = () =>
    ask({
      title: t('binding.rotate_title'),
      body: t('binding.rotate_body'),
      losses: [t('binding.rotate_code'), t('binding.rotate_script'), t('binding.rotate_written')],
      confirm: t('binding.rotate'),
      danger: true,
      act: async () => {
        await call('/api/v3/profile/binding_code/rotate', {});
        await refreshUser();
        notify('ok', t('binding.rotated'));
      },
    });
  return (
    <Card title={t('header.binding_code')}>
      <div className="stack stack-s binding">
        <CopyText text={code} label={t('action.copy')} block />
        <p className="small dim">{t('binding.hint', { account })}</p>
        {mayBind && (
          <div>
            <Button icon="refresh" onClick={rotate}>
              {t('binding.rotate')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
