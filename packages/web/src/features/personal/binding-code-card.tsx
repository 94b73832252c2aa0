import { t } from '../../app/i18n.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { RotateCode } from '../../ui/rotate-code.tsx';

export function BindingCodeCard() {
  const { account_code: code, account_name: account } = useUser();
  const mayBind = useMay('network.bind');
  if (!code) return null;
  return (
    <Card title={t('header.binding_code')}>
      <div className="stack stack-s binding">
        <CopyText text={code} label={t('action.copy')} block />
        <p className="small dim">{t('binding.hint', { account })}</p>
        {mayBind && (
          <div>
            <RotateCode />
          </div>
        )}
      </div>
    </Card>
  );
}
