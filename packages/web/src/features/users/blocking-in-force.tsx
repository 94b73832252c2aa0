import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { mac } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';

const maxNamed = 3;

export function BlockingInForce() {
  const { data } = useRead('/api/v3/user_online/applied', {});
  if (!data || data.blocked === 0) return null;
  const missing = data.managed - data.in_force - data.later;
  const named = data.waiting.slice(0, maxNamed);
  return (
    <div className={missing === 0 && data.too_old === 0 ? 'small dim users-note' : 'notice users-note'}>
      {data.managed > 0 && t('users.applied', { done: data.in_force, all: data.managed })}{' '}
      {data.gateways > 0 && t('users.applied_gateways', { n: data.gateways })}{' '}
      {missing > 0 && (
        <>
          {t('users.applied_waiting')}
          {named.map(({ serial, gwid, device, sync, status }, index) => (
            <span key={serial}>
              {index > 0 && t('users.applied_and')}
              {gwid ? (
                <Link to={`/network/aps/${gwid}`} search={{ device: serial }}>
                  {device || mac(serial)}
                </Link>
              ) : (
                device || mac(serial)
              )}
              {t('users.applied_state', {
                state: status === 'online' ? t(`sync.${sync ?? 'pending'}`) : t('users.offline'),
              })}
            </span>
          ))}
          {missing > named.length && t('users.applied_more', { n: missing - named.length })}{' '}
        </>
      )}
      {data.later > 0 && t('users.applied_later', { n: data.later })}{' '}
      {data.unmanaged > 0 && t('users.applied_rest', { n: data.unmanaged })}{' '}
      {data.too_old > 0 && t('users.applied_too_old', { n: data.too_old })}
    </div>
  );
}
