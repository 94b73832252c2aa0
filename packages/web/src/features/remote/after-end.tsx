import { lazy, Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { hasRecording, type Session } from './remote-session.ts';

const RemoteDialog = lazy(async () => ({ default: (await import('./remote-dialog.tsx')).RemoteDialog }));

export function AfterEnd({ session }: { session: Session }) {
  const [mayOpen, mayReplay] = [useMay('remote.use'), useMay('remote.replay')];
  const [isOpening, setOpening] = useState(false);
  const { id, serial, peripheral_id, target, kind, purpose } = session;
  return (
    <>
      {mayReplay && hasRecording(session) && <Link to={`/remote/replay/${id}`}>{t('remote.replay')}</Link>}
      {mayOpen && <Button onClick={() => setOpening(true)}>{t('remote.open_again')}</Button>}
      {isOpening && (
        <Suspense>
          <RemoteDialog
            target={peripheral_id === null ? { serial } : { peripheral_id }}
            name={target}
            last={{ kind, purpose }}
            onClose={() => setOpening(false)}
          />
        </Suspense>
      )}
    </>
  );
}
