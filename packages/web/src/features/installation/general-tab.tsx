import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { count, date } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import { notify } from '../../ui/toast.tsx';
import { DevicesCard } from './devices-card.tsx';
import type { Installation } from './install-detail.ts';
import { isLocal } from './local-host.ts';
import { MapCard } from './map-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import { Warning } from './setup-warning.tsx';

export function GeneralTab({ installation }: { installation: Installation }) {
  return (
    <>
      <div className="grid">
        <div className="span-6">
          <RegistrationCard open={installation.registration_open} />
        </div>
        <div className="span-6">
          <AboutCard installation={installation} />
        </div>
      </div>
      <AddressCard installation={installation} />
      <DevicesCard device={installation.device} />
      <MapCard key={JSON.stringify(installation.map)} saved={installation.map} />
      <RetentionCard saved={installation.retention} />
    </>
  );
}

function RegistrationCard({ open }: { open: boolean }) {
  const client = useQueryClient();
  const change = () =>
    ask({
      title: open ? t('install.close_title') : t('install.open_title'),
      body: open ? t('install.close_body') : t('install.open_consequence'),
      losses: open ? [t('install.close_strangers'), t('install.close_invited')] : [],
      confirm: open ? t('install.close') : t('install.open_act'),
      danger: open,
      act: async () => {
        await call('/api/v3/install/registration', { open: !open });
        await client.invalidateQueries({ queryKey: ['/api/v3/install/detail'] });
        await client.invalidateQueries({ queryKey: ['/api/v3/open/installation'] });
        notify('ok', open ? t('install.registration_closed') : t('install.registration_opened'));
      },
    });
  return (
    <Card
      className="install-fill"
      title={t('install.registration')}
      actions={<Button onClick={change}>{open ? t('install.close') : t('install.open_act')}</Button>}
    >
      <div className="stack stack-s">
        <div>
          <Tag tone={open ? 'ok' : 'none'} shape={open ? 'check' : 'cross'}>
            {open ? t('install.open') : t('install.closed')}
          </Tag>
        </div>
        <p className="quiet">{open ? t('install.open_body') : t('install.closed_body')}</p>
      </div>
    </Card>
  );
}

function AboutCard({ installation }: { installation: Installation }) {
  const { version, accounts, administrators } = installation;
  return (
    <Card className="install-fill" title={t('install.about')}>
      <dl className="facts">
        <dt>{t('install.version')}</dt>
        <dd>{version}</dd>
        <dt>{t('install.tab_accounts')}</dt>
        <dd>
          <Link to="/install" search={{ tab: 'accounts' }}>
            {count(accounts)}
          </Link>
        </dd>
        <dt>{t('install.administrators')}</dt>
        <dd>
          {administrators.map((name) => (
            <div key={name}>{name}</div>
          ))}
        </dd>
      </dl>
      <p className="small dim install-note">{t('install.by_address')}</p>
    </Card>
  );
}

function AddressCard({ installation: { public_url, tls, tls_expires_at } }: { installation: Installation }) {
  const elsewhere = location.origin !== public_url;
  // traffic within this machine needs no TLS
  const alone = tls === 'none' && isLocal(location.hostname);
  const tone = tls !== 'none' ? 'ok' : alone ? 'none' : 'bad';
  return (
    <Card title={t('install.address')}>
      <div className="stack">
        <dl className="facts">
          <dt>{t('install.public_url')}</dt>
          <dd>
            <CopyText text={public_url} label={t('install.copy_address')} />
            <div className="small dim">{t('install.public_url_hint')}</div>
          </dd>
          <dt>{t('install.this_visit')}</dt>
          <dd>
            <Tag tone={tone} shape={tls === 'none' ? 'cross' : 'check'}>
              {t(`install.tls_${tls}`)}
            </Tag>
            <div className="small dim">
              {tls === 'console' && tls_expires_at
                ? t('install.tls_console_body', { date: date(new Date(tls_expires_at)) })
                : tls === 'proxy'
                  ? t('install.tls_proxy_body')
                  : t('install.tls_none_body')}
            </div>
          </dd>
        </dl>
        {tone === 'bad' && <Warning>{t('install.tls_warning')}</Warning>}
        {elsewhere && <Warning>{t('install.elsewhere', { here: location.origin, there: public_url })}</Warning>}
      </div>
    </Card>
  );
}
