import { t, textOf } from '../../app/i18n.ts';
import { count } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import type { Installation } from './install-detail.ts';
import { MailCard } from './mail-card.tsx';
import { SmsCard } from './sms-card.tsx';

export function DeliveryTab({ installation }: { installation: Installation }) {
  return (
    <>
      <div className="grid">
        <div className="span-6">
          <MailCard saved={installation.mail} />
        </div>
        <div className="span-6">
          <SmsCard saved={installation.sms} messageTemplates={installation.sms_letters} />
        </div>
      </div>
      <Troubles installation={installation} />
    </>
  );
}

const messageName = (template: string): string => textOf(`install.template_${template}`) ?? template;

function Troubles({ installation }: { installation: Installation }) {
  const { outbox_waiting: waiting, outbox_failed: failed, outbox_troubles: troubles } = installation;
  return (
    <Card title={t('install.troubles')}>
      <div className="stack">
        <div className="row row-wide">
          <span>{t('install.waiting', { n: count(waiting) })}</span>
          <span>{t('install.failed', { n: count(failed) })}</span>
        </div>
        {troubles.length === 0 ? (
          <p className="quiet">{t('install.no_troubles')}</p>
        ) : (
          <div className="install-scroll">
            <table className="plain-table">
              <caption className="sr">{t('install.troubles')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('install.trouble_at')}</th>
                  <th scope="col">{t('install.trouble_to')}</th>
                  <th scope="col">{t('install.trouble_what')}</th>
                  <th scope="col">{t('install.trouble_reason')}</th>
                  <th scope="col">{t('install.trouble_state')}</th>
                </tr>
              </thead>
              <tbody>
                {troubles.map((row) => (
                  <tr key={`${row.at} ${row.to}`}>
                    <td>
                      <ShortTime at={row.at} />
                    </td>
                    <td className="nowrap">{row.to}</td>
                    <td>{messageName(row.template)}</td>
                    <td className="wraps">{row.reason}</td>
                    <td className="nowrap">
                      {row.given_up ? (
                        <Tag tone="bad" shape="cross">
                          {t('install.given_up')}
                        </Tag>
                      ) : (
                        <Tag tone="warn" shape="turn">
                          {t('install.tried', { n: row.attempts })}
                        </Tag>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Card>
  );
}
