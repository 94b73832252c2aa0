import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { refreshUser } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { Settings } from './settings.tsx';
import './installation.css';

/** The first person to open the one-time link becomes administrator. */
export function InstallScreen() {
  const [search, change] = useSearch();
  const administers = useMay('install.admin');
  const [busy, setBusy] = useState(false);
  const [claimed, setClaimed] = useState(false);
  const claim = async (token: string) => {
    setBusy(true);
    try {
      await call('/api/v3/install/claim', { token });
      // Before anything can fail: the link is used up.
      setClaimed(true);
      change({ token: undefined });
      await refreshUser();
    } catch (error) {
      notifyError(error);
    }
    setBusy(false);
  };
  const { token } = search;
  if (claimed) return <Claimed manage={administers ? () => setClaimed(false) : undefined} />;
  if (administers) return <Settings />;
  if (!token) return <NoLink />;
  return (
    <div className="hero">
      <Empty
        page
        icon="server"
        title={t('install.claim_title')}
        actions={
          <Button kind="primary" busy={busy} onClick={() => void claim(token)}>
            {t('install.claim')}
          </Button>
        }
      >
        {t('install.claim_body')}
      </Empty>
    </div>
  );
}

function NoLink() {
  const { data } = useRead('/api/v3/open/installation', {});
  if (!data) return <div className="hero" aria-busy="true" />;
  return (
    <div className="hero">
      <Empty page icon="server" title={data.has_administrator ? t('install.taken_title') : t('install.no_link_title')}>
        <p>{data.has_administrator ? t('install.taken_body') : t('install.no_link_body')}</p>
        <p className="install-way">{t('install.by_address')}</p>
      </Empty>
    </div>
  );
}

/** Its user must not see "link needed". */
function Claimed({ manage }: { manage: (() => void) | undefined }) {
  const navigate = useNavigate();
  return (
    <div className="hero">
      <Empty
        page
        icon="check"
        title={t('install.claimed')}
        actions={
          <>
            <Button kind="primary" onClick={() => void navigate({ to: '/' })}>
              {t('install.to_overview')}
            </Button>
            {manage && <Button onClick={manage}>{t('personal.install')}</Button>}
          </>
        }
      >
        {t('install.claimed_body')}
      </Empty>
    </div>
  );
}
