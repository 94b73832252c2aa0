import { type ReactNode, useEffect } from 'react';
import { t } from '../../../app/i18n.ts';
import { onFact } from '../../../app/live.ts';
import { useMay, useUser } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { mac } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import { RotateCode } from '../../../ui/rotate-code.tsx';
import { notify } from '../../../ui/toast.tsx';
import { OnboardingChecks } from './onboarding-checks.tsx';
import '../fleet.css';

/** Host name that the firmware resolves in the local DNS. */
const localName = 'openwifi.wlan.local';

export function WaitingGuide() {
  const user = useUser();
  const mayBind = useMay('network.bind');
  const { data } = useRead('/api/v3/device/onboarding', {}, { refetchMs: 5000 });
  useEffect(
    () =>
      onFact((fact) => {
        if (fact.type === 'device.status' && fact.status === 'online')
          notify('ok', t('waiting.arrived', { serial: mac(fact.serial) }));
      }),
    [],
  );
  const code = user.account_code ?? '';
  const enrol = data?.server.enroll_url ?? `${location.origin}/enroll.sh`;
  const script = `curl -fsS ${enrol} | sh -s -- ${code}`;
  const address = data ? `${data.server.host}:${data.server.port}` : '';
  return (
    <div className="guide-steps">
      <Card title={t('waiting.guide')} flush>
        <p className="quiet guide-lead">{t('waiting.guide_lead')}</p>
        <Step number={1} title={t('waiting.step_code')}>
          <div className="big-code">
            <CopyText text={code} label={t('action.copy')} />
            {mayBind && <RotateCode quiet />}
          </div>
        </Step>
        <Step number={2} title={t('waiting.step_script')}>
          <p>{t('waiting.step_script_body')}</p>
          <CopyText text={script} label={t('action.copy')} block />
          <p className="needs-title">{t('waiting.needs')}</p>
          <ul className="needs">
            <li>{t('waiting.needs_root')}</li>
            <li>{t('waiting.needs_node')}</li>
            <li>{t('waiting.needs_tools')}</li>
            <li>{t('waiting.needs_ports', { host: data?.server.host ?? '…', port: data?.server.port ?? '…' })}</li>
          </ul>
          <p className="small dim">{t('waiting.needs_missing')}</p>
          <CopyText text={script.replace('| sh', '| ENROLL_INSTALL=1 sh')} label={t('action.copy')} block />
        </Step>
        <Step number={3} title={t('waiting.switch_title')}>
          <p>{t('waiting.switch_body')}</p>
          <CopyText text={script.replace('| sh', '| ENROLL_SWITCH=<MAC> sh')} label={t('action.copy')} block />
        </Step>
        <Step number={4} title={t('waiting.step_dhcp')}>
          <p>{t('waiting.step_dhcp_body')}</p>
          <div className="options">
            <span>{t('waiting.dhcp_224')}</span>
            <CopyText text={address} label={t('action.copy')} />
            <span>{t('waiting.dhcp_138')}</span>
            <CopyText text={data?.server.host ?? ''} label={t('action.copy')} />
            <span>{t('waiting.dns_name')}</span>
            <CopyText text={localName} label={t('action.copy')} />
          </div>
          <p className="small dim">{t('waiting.dns_host', { name: localName })}</p>
          <p className="small dim">{t('waiting.dhcp_certificate')}</p>
        </Step>
      </Card>
      {data && <OnboardingChecks data={data} />}
    </div>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="step">
      <span className="step-number" aria-hidden="true">
        {number}
      </span>
      <h3>{title}</h3>
      <div className="step-body">{children}</div>
    </section>
  );
}
