import { t } from '../../app/i18n.ts';
import { CopyText } from '../../ui/copy.tsx';
import { date } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Installation } from './install-detail.ts';
import { isLocal } from './local-host.ts';
import { Warning } from './setup-warning.tsx';

export function DevicesCard({ device }: { device: Installation['device'] }) {
  return (
    <Card title={t('install.devices')}>
      <div className="stack">
        <dl className="facts">
          <dt>{t('install.device_address')}</dt>
          <dd>
            <CopyText text={`${device.host}:${device.port}`} label={t('install.copy_address')} />
          </dd>
          <dt>{t('install.device_names')}</dt>
          <dd className="mono">{device.names.join(' ')}</dd>
          <dt>{t('install.device_expires')}</dt>
          <dd>
            {date(new Date(device.certificate_expires_at))}
            <div className="small dim">{t('install.device_expires_hint')}</div>
          </dd>
        </dl>
        {isLocal(device.host) && <Warning>{t('install.device_local', { host: device.host })}</Warning>}
        <div className="install-scroll">
          <table className="plain-table">
            <caption className="sr">{t('install.authorities')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('install.authority')}</th>
                <th scope="col">{t('install.authority_source')}</th>
                <th scope="col">{t('install.fingerprint')}</th>
                <th scope="col">{t('install.expires')}</th>
              </tr>
            </thead>
            <tbody>
              {device.authorities.map((authority) => (
                <tr key={authority.fingerprint}>
                  <td className="wraps">{authority.name}</td>
                  <td>
                    <Tag tone={authority.ours ? 'brand' : 'none'}>
                      {authority.ours ? t('install.authority_ours') : t('install.authority_theirs')}
                    </Tag>
                  </td>
                  <td className="mono small install-fingerprint">{authority.fingerprint}</td>
                  <td className="nowrap">{date(new Date(authority.expires_at))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className="small dim">{t('install.authorities_hint')}</p>
      </div>
    </Card>
  );
}
