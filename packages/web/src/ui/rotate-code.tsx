import { call } from '../app/client.ts';
import { t } from '../app/i18n.ts';
import { refreshUser } from '../app/session.ts';
import { Button } from './button.tsx';
import { ask } from './dialog-host.tsx';
import { notify } from './toast.tsx';

export function RotateCode({ quiet = false }: { quiet?: boolean }) {
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
    <Button kind={quiet ? 'quiet' : 'plain'} icon="refresh" onClick={rotate}>
      {t('binding.rotate')}
    </Button>
  );
}
