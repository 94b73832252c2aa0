import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { CheckField, fieldError, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { reasonText } from '../../ui/job-name.ts';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { NetworkDetail } from './one-network.tsx';

const caps = { min: 1, max: 10_000 } as const;

interface Props {
  detail: NetworkDetail;
  nameOf: (key: string) => string;
}

/** Measures a tunnel between two of its gateways. */
export function ThroughputTest({ detail: { network, nodes, links }, nameOf }: Props) {
  const may = useMay('network.write');
  const pairs = links.map(({ from, to }) => ({ value: `${from} ${to}`, from, to }));
  const [pair, setPair] = useState(pairs[0]?.value ?? '');
  const [udp, setUdp] = useState(false);
  const [cap, setCap] = useState('');
  const [run, setRun] = useState<string | null>(null);
  const { wrong, busy, fields, send } = useForm<'cap', HTMLFormElement>();
  const chosen = pairs.find(({ value }) => value === pair);
  if (!may || !chosen) return null;
  const without = nodes.find(({ key, measures }) => (key === chosen.from || key === chosen.to) && !measures);
  const away = nodes.find(({ key, online }) => (key === chosen.from || key === chosen.to) && !online);
  const why = without
    ? t('sdwan.throughput_no_iperf', { name: without.name })
    : away && t('sdwan.throughput_offline', { name: away.name });
  const start = () =>
    send({ cap: fieldError(whole(caps.min, caps.max), cap, !udp) }, async () => {
      const limit = cap === '' ? {} : { mbps: Number(cap) };
      const ends = { id: network.id, from: chosen.from, to: chosen.to };
      setRun((await call('/api/v3/sdwan/throughput', { ...ends, udp, ...limit })).run_id);
    });
  return (
    <section className="stack">
      <h3 className="section-title">{t('sdwan.throughput')}</h3>
      <p className="small dim">{t('sdwan.throughput_hint')}</p>
      <Form send={start} fields={fields} className="stack">
        <SelectField
          label={t('sdwan.throughput_tunnel')}
          value={pair}
          options={pairs.map(({ value, from, to }) => ({ value, label: `${nameOf(from)} – ${nameOf(to)}` }))}
          onChange={setPair}
        />
        <CheckField checked={udp} onChange={setUdp}>
          {t('sdwan.throughput_udp')}
        </CheckField>
        <NumberField
          label={t('sdwan.throughput_cap')}
          hint={t('sdwan.throughput_cap_hint')}
          {...caps}
          optional={!udp}
          value={cap}
          onChange={setCap}
          error={wrong.cap}
        />
        <div className="row">
          <Button kind="primary" type="submit" busy={busy} why={why} className="sdwan-start">
            {t('sdwan.throughput_start')}
          </Button>
          {why && <span className="small dim">{why}</span>}
        </div>
      </Form>
      {run && <Result key={run} id={run} names={[nameOf(chosen.from), nameOf(chosen.to)]} />}
    </section>
  );
}

type Way = NonNullable<NonNullable<Data<'/api/v3/network/tool/detail'>['throughput']>['up']>;

function Result({ id, names: [from, to] }: { id: string; names: [string, string] }) {
  const [isDone, setIsDone] = useState(false);
  const { data, error, refetch } = useRead('/api/v3/network/tool/detail', { id }, { refetchMs: isDone ? false : 1000 });
  const over = data !== undefined && ['done', 'failed', 'skipped'].includes(data.state);
  if (over && !isDone) setIsDone(true);
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  return (
    <section aria-live="polite" aria-label={t('sdwan.test_result')}>
      <Loading until={over}>
        {data?.reason && <p className="notice notice-warn">{reasonText(data.reason)}</p>}
        {data?.throughput && (
          <dl className="facts">
            <dt>{`${from} → ${to}`}</dt>
            <dd>{wayText(data.throughput.up)}</dd>
            <dt>{`${to} → ${from}`}</dt>
            <dd>{wayText(data.throughput.down)}</dd>
          </dl>
        )}
      </Loading>
    </section>
  );
}

function wayText(way: Way | null): string {
  if (way === null) return '—';
  return [
    `${way.mbps} Mbit/s`,
    way.retransmits !== null && t('sdwan.throughput_retransmits', { n: way.retransmits }),
    way.loss_pct !== null && t('sdwan.throughput_loss', { n: way.loss_pct }),
    way.jitter_ms !== null && t('sdwan.throughput_jitter', { n: Math.round(way.jitter_ms * 100) / 100 }),
  ]
    .filter(Boolean)
    .join(' · ');
}
