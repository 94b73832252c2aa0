import { type ReactNode, useState } from 'react';
import type { Data } from '../../../app/api.ts';
import { t, textOf } from '../../../app/i18n.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { ago, mac } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Link } from '../../../ui/link.tsx';
import { Card } from '../../../ui/page.tsx';
import { RelativeTime, useNow } from '../../../ui/time.tsx';

type Onboarding = Data<'/api/v3/device/onboarding'>;
type State = 'ok' | 'wait' | 'bad';
const icons = { ok: 'check', wait: 'clock', bad: 'alert' } as const;
const SHOWN = 5;
/** Of enrolments; the others are of connections. */
const unenrolled = ['bound-elsewhere', 'enrolment-refused', 'too-many-claims'];

/** Milliseconds; an older enrolment is another device's. */
const RECENT_MS = 15 * 60_000;

export function OnboardingChecks({ data }: { data: Onboarding }) {
  const now = useNow();
  const [opened] = useState(() => Date.now());
  const { server } = data;
  const names = server.certificate_names.join(', ');
  const newest = data.enrolments[0];
  // an enrolment long before this page opened is not the awaited device
  const enrolled = newest && Date.parse(newest.at) > opened - RECENT_MS ? newest : undefined;
  const unserved = data.refusals.find(
    ({ reason, serial, at }) =>
      unenrolled.includes(reason) &&
      Date.parse(at) > opened - RECENT_MS &&
      !data.enrolments.some((later) => later.serial === serial && later.at > at),
  );
  const connected = data.connections.find(({ serial, at }) => serial === enrolled?.serial && at >= enrolled.at);
  const reported = connected?.reported_at && connected.reported_at >= connected.at ? connected.reported_at : null;
  const enrolState = unserved ? 'bad' : enrolled ? 'ok' : 'wait';
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
        <Check state={enrolState} title={t('waiting.check_enrol')}>
          {unserved?.serial && (
            <>
              {t('waiting.check_enrol_refused', {
                serial: mac(unserved.serial),
                when: ago(new Date(unserved.at), now),
              })}{' '}
            </>
          )}
          {enrolled
            ? t('waiting.check_enrol_seen', { serial: mac(enrolled.serial), when: ago(new Date(enrolled.at), now) })
            : !unserved && t('waiting.check_enrol_none')}
          {!enrolled && newest && (
            <span className="dim">
              {' '}
              {t('waiting.check_enrol_before', { serial: mac(newest.serial), when: ago(new Date(newest.at), now) })}
            </span>
          )}
        </Check>
        <Check state={connected ? 'ok' : 'wait'} title={t('waiting.check_tls')}>
          {connected
            ? t('waiting.check_tls_seen', { serial: mac(connected.serial), when: ago(new Date(connected.at), now) })
            : missingConnection(data, enrolled?.serial, now)}
        </Check>
        <Check state={reported ? 'ok' : 'wait'} title={t('waiting.check_report')}>
          {reported && connected
            ? t('waiting.check_report_seen', { serial: mac(connected.serial), when: ago(new Date(reported), now) })
            : t('waiting.check_report_none')}
          {reported && connected && (
            <>
              {' '}
              <Link to={connected.gwid ? `/network/${connected.gwid}` : '/waiting_devices'}>
                {t(connected.gwid ? 'waiting.open_network' : 'waiting.open_waiting')}
              </Link>
            </>
          )}
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
            <Remedy refusal={each} names={names} />
          </li>
        ))}
      </ul>
      <details className="guide-help">
        <summary>{t('waiting.help')}</summary>
        <ol>
          <li>{t('waiting.help_reach')}</li>
          <li>
            <CopyText
              text={`curl -fsS -o /dev/null -w '%{http_code}\\n' ${server.enroll_url}`}
              label={t('action.copy')}
              block
            />
          </li>
          <li>{t('waiting.help_port', { host: server.host, port: server.port })}</li>
          <li>{t('waiting.help_log')}</li>
          <li>
            <CopyText text="journalctl -u yunxun-edge -n 50" label={t('action.copy')} block />
          </li>
          <li>{t('waiting.help_clock')}</li>
          <li>{t('waiting.help_again')}</li>
        </ol>
      </details>
    </Card>
  );
}

function missingConnection(data: Onboarding, awaited: string | undefined, now: number): string {
  const { online, last_seen_at: seen } = data;
  const { port } = data.server;
  if (seen === null) return t('waiting.check_tls_none', { port });
  const serial = awaited ? mac(awaited) : null;
  if (online === 0) {
    const when = ago(new Date(seen), now);
    return serial
      ? t('waiting.check_tls_before_awaited', { serial, port, when })
      : t('waiting.check_tls_before', { port, when });
  }
  return serial
    ? t('waiting.check_tls_others_awaited', { serial, port, n: online })
    : t('waiting.check_tls_others', { port, n: online });
}

function Remedy({ refusal, names }: { refusal: Onboarding['refusals'][number]; names: string }) {
  const { sni, host, reason } = refusal;
  const dialled = sni ?? host ?? '';
  const remedy = textOf(`refusal_fix.${reason}`, { dialled, names });
  return (
    <p className="small">
      {dialled && `${t('waiting.refused_dialled', { sni: sni ?? '–', host: host ?? '–', names })} `}
      {remedy}
    </p>
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
