import type { Data } from '../../../app/api.ts';
import { call } from '../../../app/client.ts';
import { t } from '../../../app/i18n.ts';
import { queryClient } from '../../../app/session.ts';
import { useMay } from '../../../app/shell/current.ts';
import { Button } from '../../../ui/button.tsx';
import { ask } from '../../../ui/dialog-host.tsx';
import { mac } from '../../../ui/format.ts';
import { RelativeTime } from '../../../ui/time.tsx';

type Shared = NonNullable<Data<'/api/v3/ap/detail'>['certificate_conflict']>;
type Box = Shared['first'];
type Decision = 'swap' | 'forget';

async function decide(serial: string, decision: Decision): Promise<void> {
  await call('/api/v3/device/certificate_conflict/decide', { serial, decision });
  await queryClient.invalidateQueries({ queryKey: ['/api/v3/ap/detail'] });
}

/** Names the refused one and offers the choice. */
export function SharedCertificateNotice({ serial, shared }: { serial: string; shared: Shared }) {
  const mayDecide = useMay('network.write');
  const confirm = (decision: Decision) =>
    ask({
      title: t(decision === 'swap' ? 'device.shared_swap' : 'device.shared_forget'),
      body: t(decision === 'swap' ? 'device.shared_swap_body' : 'device.shared_forget_body'),
      confirm: t(decision === 'swap' ? 'device.shared_swap' : 'device.shared_forget'),
      act: () => decide(serial, decision),
    });
  return (
    <div className="notice notice-bad">
      <div>
        <strong>{t('device.shared_title')}</strong>
        <dl className="facts">
          <dt>{t('device.shared_first')}</dt>
          <dd>{boxText(shared.first)}</dd>
          <dt>{t('device.shared_second')}</dt>
          <dd>
            {boxText(shared.second)}{' '}
            <span className="dim">
              · <RelativeTime at={shared.at} />
            </span>
          </dd>
        </dl>
        <p>{t('device.shared_remedy')}</p>
        {mayDecide && (
          <p className="row">
            <Button onClick={() => confirm('swap')}>{t('device.shared_swap')}</Button>
            <Button onClick={() => confirm('forget')}>{t('device.shared_forget')}</Button>
          </p>
        )}
      </div>
    </div>
  );
}

function boxText(box: Box): string {
  return [box.address, box.mac && mac(box.mac), box.model, box.firmware].filter(Boolean).join(' · ');
}
