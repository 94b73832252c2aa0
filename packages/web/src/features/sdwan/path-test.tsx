import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { fieldError, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { reasonText } from '../../ui/job-name.ts';
import { IpField, NumberField, whole } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { useForm } from '../../ui/use-form.ts';
import { latencyText, lossText } from './labels.tsx';
import type { NetworkDetail } from './one-network.tsx';

const ports = { min: 1, max: 65_535 } as const;

interface Run {
  id: string;
  from: string;
  target: string;
  run_id: string;
}

interface Props {
  detail: NetworkDetail;
  nameOf: (key: string) => string;
}

export function PathTest({ detail: { network, nodes }, nameOf }: Props) {
  const may = useMay('network.write');
  const [from, setFrom] = useState(nodes[0]?.key ?? '');
  const [target, setTarget] = useState('');
  const [port, setPort] = useState('');
  const [run, setRun] = useState<Run | null>(null);
  const { wrong, busy, fields, send } = useForm<'target' | 'port', HTMLFormElement>();
  const start = () =>
    send({ target: fieldError('ip', target), port: fieldError(whole(ports.min, ports.max), port, true) }, async () => {
      const test = { id: network.id, from, target };
      const tcp = port === '' ? {} : { port: Number(port) };
      const { run_id } = await call('/api/v3/sdwan/path_test', { ...test, ...tcp });
      setRun({ ...test, run_id });
    });
  if (!may) return <p className="quiet">{t('sdwan.test_right')}</p>;
  return (
    <div className="stack">
      <p className="small dim">{t('sdwan.test_hint')}</p>
      <Form send={start} fields={fields} className="stack">
        <SelectField
          label={t('sdwan.test_from')}
          value={from}
          options={nodes.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={setFrom}
        />
        <IpField label={t('sdwan.test_target')} value={target} onChange={setTarget} error={wrong.target} />
        <NumberField
          label={t('sdwan.test_port')}
          hint={t('sdwan.test_port_hint')}
          {...ports}
          optional
          value={port}
          onChange={setPort}
          error={wrong.port}
        />
        <Button kind="primary" type="submit" busy={busy} className="sdwan-start">
          {t('sdwan.test_start')}
        </Button>
      </Form>
      {run && <Result key={run.run_id} run={run} nameOf={nameOf} />}
    </div>
  );
}

const tones = {
  ok: ['ok', 'check'],
  failed: ['bad', 'cross'],
  unknown: ['none', 'ring'],
  skipped: ['none', 'ring'],
} as const;

function Result({ run, nameOf }: { run: Run; nameOf: Props['nameOf'] }) {
  const [isDone, setIsDone] = useState(false);
  const { data, error, refetch } = useRead('/api/v3/sdwan/path_test/result', run, {
    refetchMs: isDone ? false : 1000,
  });
  if (data?.done && !isDone) setIsDone(true);
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  return (
    <section aria-live="polite" aria-label={t('sdwan.test_result')}>
      <Loading until={data?.done === true}>
        {data && (
          <dl className="facts">
            {(['tunnel', 'route', 'firewall', 'host'] as const).map((step) => {
              const [tone, shape] = tones[data[step]];
              return [
                <dt key={`${step} name`}>{t(`sdwan.test_${step}`)}</dt>,
                <dd key={step}>
                  <Tag tone={tone} shape={shape}>
                    {t(`sdwan.verdict_${data[step]}`)}
                  </Tag>
                </dd>,
              ];
            })}
            <dt>{t('sdwan.test_path')}</dt>
            <dd>{data.path.map(nameOf).join(' → ') || '—'}</dd>
            {data.failed_at && (
              <>
                <dt>{t('sdwan.test_failed_at')}</dt>
                <dd>{nameOf(data.failed_at)}</dd>
              </>
            )}
            <dt>{t('sdwan.col_latency')}</dt>
            <dd>{latencyText(data.rtt_ms)}</dd>
            <dt>{t('sdwan.col_loss')}</dt>
            <dd>{lossText(data.loss_pct)}</dd>
            {data.reason && (
              <>
                <dt>{t('sdwan.test_reason')}</dt>
                <dd>{reasonText(data.reason)}</dd>
              </>
            )}
          </dl>
        )}
      </Loading>
    </section>
  );
}
