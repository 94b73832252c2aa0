import type { ReactNode } from 'react';
import type { Data } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';
import { ago, mac } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { RelativeTime, useNow } from '../../ui/time.tsx';

type Onboarding = Data<'/api/v3/device/onboarding'>;
type State = 'ok' | 'wait' | 'bad';
const icons = { ok: 'check', wait: 'clock', bad: 'alert' } as const;
/** Refusals listed at once; the newest say the most. */
const SHOWN = 5;

/** Why the device is not here yet, step by step, as the console itself sees it. */
export function OnboardingChecks({ data }: { data: Onboarding }) {
  const now = useNow();
  const { server } = data;
  const names = server.certificate_names.join(', ');
  const enrolled = data.enrolments[0];
  const connected = data.connections[0];
  const refused = data.refusals.slice(0, SHOWN);
  return (
    <Card title={t('waiting.why')} flush>
      <ul className="checks">
        <Check state={server.local_only ? 'bad' : 'ok'} title={t('waiting.check_address')}>
          {server.local_only
            ? t('waiting.check_address_local', { host: server.host })
            : t('waiting.check_address_ok', { host: server.host, port: server.port })}
        </Check>
        <Check state={server.name_matches ? 'ok' : 'bad'} title={t('waiting.check_name')}>
          {server.name_matches
            ? t('waiting.check_name_ok', { names })
            : t('waiting.check_name_bad', { names, host: server.host })}
        </Check>
        <Check state={enrolled ? 'ok' : 'wait'} title={t('waiting.check_enrol')}>
          {enrolled
            ? t('waiting.check_enrol_seen', { serial: mac(enrolled.serial), when: ago(new Date(enrolled.at), now) })
            : t('waiting.check_enrol_none')}
        </Check>
        <Check state={connected ? 'ok' : 'wait'} title={t('waiting.check_tls')}>
          {connected
            ? t('waiting.check_tls_seen', { serial: mac(connected.serial), when: ago(new Date(connected.at), now) })
            : t('waiting.check_tls_none', { port: server.port })}
        </Check>
        <Check state={refused.length > 0 ? 'bad' : 'ok'} title={t('waiting.check_refused')}>
          {refused.length === 0 ? t('waiting.check_refused_none') : null}
        </Check>
        {refused.map((each) => (
          <li key={`${each.at}${each.reason}${each.serial}`} className="refusal">
            <span />
            <span>
              {textOf(`refusal.${each.reason}`) ?? each.reason}
              <span className="dim small">
                {' '}
                {[each.serial && mac(each.serial), each.ip, each.detail].filter(Boolean).join(' · ')}
              </span>
            </span>
            <RelativeTime at={each.at} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Check({ state, title, children }: { state: State; title: string; children: ReactNode }) {
  return (
    <li className={`check-${state}`}>
      <Icon name={icons[state]} size={18} />
      <strong>{title}</strong>
      <span className="small dim">{t(`waiting.state_${state}`)}</span>
      {children && <p>{children}</p>}
    </li>
  );
}
