import { useState } from 'react';
import type { Row } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useRead } from '../../../app/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyText } from '../../../ui/copy.tsx';
import { ask } from '../../../ui/dialog-host.tsx';
import { Failed } from '../../../ui/empty.tsx';
import { mac } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { Tag } from '../../../ui/status.tsx';
import { ShortTime } from '../../../ui/time.tsx';
import { notify } from '../../../ui/toast.tsx';
import { BindingCodeDialog } from './binding-code-dialog.tsx';

type Code = Row<'/api/v3/binding/code/list'>;

const path = '/api/v3/binding/code/list';
const usesPath = '/api/v3/binding/use/list';
const shown = 50;

export function BindingCodes() {
  const { data, error, refetch } = useRead(path, { limit: shown });
  const [making, setMaking] = useState(false);
  const again = () => queryClient.invalidateQueries({ queryKey: [path] });
  const withdraw = ({ id, name }: Code) =>
    ask({
      title: t('codes.withdraw_title', { name }),
      body: t('codes.withdraw_body'),
      confirm: t('codes.withdraw'),
      danger: true,
      act: async () => {
        await call('/api/v3/binding/code/withdraw', { id });
        await again();
        notify('ok', t('codes.withdrawn'));
      },
    });
  return (
    <>
      <Card
        title={t('codes.title')}
        actions={
          <Button icon="plus" onClick={() => setMaking(true)}>
            {t('codes.create')}
          </Button>
        }
      >
        <p className="quiet">{t('codes.lead')}</p>
        {error && !data && <Failed error={error} retry={() => void refetch()} small />}
        {data && data.total > 0 && (
          <div className="table-scroll">
            <table className="plain-table">
              <thead>
                <tr>
                  <th>{t('codes.name')}</th>
                  <th>{t('codes.code')}</th>
                  <th>{t('codes.devices')}</th>
                  <th>{t('codes.expires')}</th>
                  <th>{t('codes.state')}</th>
                  <th>
                    <span className="sr">{t('codes.withdraw')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.list.map((row) => (
                  <tr key={row.id}>
                    <td>
                      {row.name} <span className="dim">{row.created_by}</span>
                    </td>
                    <td>
                      {row.state === 'active' ? (
                        <CopyText text={row.code} label={t('action.copy')} />
                      ) : (
                        <span className="mono dim">{row.code}</span>
                      )}
                    </td>
                    <td>
                      {row.max_devices === null
                        ? row.devices
                        : t('codes.devices_of', { n: row.devices, max: row.max_devices })}
                    </td>
                    <td>{row.expires_at ? <ShortTime at={row.expires_at} /> : t('codes.never_expires')}</td>
                    <td>
                      <Tag tone={row.state === 'active' ? 'ok' : 'none'}>{t(`codes.state_${row.state}`)}</Tag>
                    </td>
                    <td>
                      {row.state === 'active' && (
                        <Button kind="link" className="btn-bad" onClick={() => withdraw(row)}>
                          {t('codes.withdraw')}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      <Uses />
      {making && (
        <BindingCodeDialog
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false);
            void again();
          }}
        />
      )}
    </>
  );
}

function Uses() {
  const { data } = useRead(usesPath, { limit: shown });
  if (!data || data.total === 0) return null;
  return (
    <Card title={t('codes.uses')}>
      <div className="table-scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('codes.used_at')}</th>
              <th>{t('networks.sn')}</th>
              <th>{t('codes.used_from')}</th>
              <th>{t('codes.used_code')}</th>
            </tr>
          </thead>
          <tbody>
            {data.list.map((row) => (
              <tr key={`${row.at} ${row.serial}`}>
                <td>
                  <ShortTime at={row.at} />
                </td>
                <td className="mono">{mac(row.serial)}</td>
                <td className="mono">{row.ip}</td>
                <td>{row.code_name ?? t('codes.own_code')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.total > data.list.length && (
        <p className="small dim">{t('codes.more', { n: data.total - data.list.length })}</p>
      )}
    </Card>
  );
}
