import { Fragment, Suspense, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { isMissing } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { PeripheralPower } from '../../app/lazy-parts.ts';
import { useSearch } from '../../app/search.ts';
import { useMay, useUser } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { LevelTag } from '../../ui/alarm-level.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { count, duration, exactTime } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { type Act, unsilence } from './act-dialogs.tsx';
import { AlarmMessages } from './alarm-messages.tsx';
import { AlarmMetric } from './alarm-metric.tsx';
import { AlarmPower } from './alarm-power.tsx';
import { type AlarmRow, kindText, nameText, stateText, stateTone, valueText } from './labels.ts';
import { SimilarAlarms } from './similar-alarms.tsx';
import { SiteSilenceDialog, SiteSilenceNotice } from './site-silence.tsx';
import './alarms.css';

type Detail = Data<'/api/v3/alarm/detail'>;

export function AlarmDrawer(props: { id: string; mayAct: boolean; start: (act: Act) => void; onClose: () => void }) {
  const { id, mayAct, start, onClose } = props;
  const { data, error, refetch } = useRead('/api/v3/alarm/detail', { id });
  const gone = isMissing(error);
  return (
    <Dialog drawer title={data ? kindText(data.alarm) : t('messages.alarm')} onClose={onClose}>
      {data ? (
        <div className="stack">
          <Head alarm={data.alarm} mayAct={mayAct} start={start} />
          {data.alarm.gwid && <SiteSilenceNotice gwid={data.alarm.gwid} />}
          <Figures {...data} />
          {data.power && <AlarmPower power={data.power} />}
          <AlarmMetric alarm={data.alarm} />
          <Places {...data} />
          <Children {...data} />
          <AlarmMessages id={id} />
          <SimilarAlarms alarm={data.alarm} />
          <Timeline timeline={data.timeline} />
        </div>
      ) : gone ? (
        <Empty icon="bell" title={t('alarm.gone')} small>
          {t('alarm.gone_body')}
        </Empty>
      ) : error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Skeleton height={240} />
      )}
    </Dialog>
  );
}

function Head({ alarm, mayAct, start }: { alarm: AlarmRow; mayAct: boolean; start: (act: Act) => void }) {
  return (
    <div className="spread">
      <span className="row">
        <LevelTag level={alarm.level} />
        <Tag tone={stateTone(alarm)}>{stateText(alarm)}</Tag>
      </span>
      {mayAct && alarm.state !== 'recovered' && (
        <span className="row">
          <Button icon="check" onClick={() => start('acknowledge')}>
            {t('alarm.acknowledge')}
          </Button>
          {alarm.state === 'silenced' ? (
            <Button icon="bell" onClick={() => void unsilence([alarm.id]).catch(notifyError)}>
              {t('alarm.unsilence')}
            </Button>
          ) : (
            <Button icon="clock" onClick={() => start('silence')}>
              {t('alarm.silence')}
            </Button>
          )}
          <Button icon="archive" onClick={() => start('resolve')}>
            {t('alarm.resolve')}
          </Button>
        </span>
      )}
    </div>
  );
}

function Figures({ alarm, cause, portals, power }: Detail) {
  const facts: [label: string, value: string | null][] = [
    [t('alarm.where'), alarm.serial === null ? nameText(alarm) : `${nameText(alarm)} · ${alarm.network}`],
    [t('alarm.first'), exactTime(new Date(alarm.began_at))],
    [
      t('alarm.last'),
      alarm.count > 1 ? `${exactTime(new Date(alarm.last_at))} · ${t('alarm.times', { n: alarm.count })}` : null,
    ],
    [
      alarm.lasts ? t('alarm.closed_at') : t('alarm.recovered_at'),
      alarm.recovered_at && exactTime(new Date(alarm.recovered_at)),
    ],
    [t('alarm.duration'), duration(alarm.seconds)],
    [t('alarm.devices'), alarm.devices_hit === 0 ? null : count(alarm.devices_hit)],
    [t('alarm.clients'), alarm.clients_hit === null ? null : count(alarm.clients_hit)],
    [t('alarm.portals'), portals.length > 0 ? portals.join(', ') : null],
    [t('alarm.value'), alarm.value === null || power ? null : valueText(alarm.kind, alarm.value)],
    [t('alarm.threshold'), alarm.threshold === null ? null : valueText(alarm.kind, alarm.threshold)],
    [
      t('alarm.until'),
      alarm.state === 'silenced' && alarm.silenced_until ? exactTime(new Date(alarm.silenced_until)) : null,
    ],
    [t('alarm.assignee'), alarm.assignee?.name ?? null],
    [t('alarm.note'), alarm.note || null],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([label, value]) =>
          value !== null && (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
      {cause && (
        <>
          <dt>{t('alarm.cause')}</dt>
          <dd>
            <Other alarm={cause} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Places({ alarm, rule_id: ruleId }: Detail) {
  const { id, gwid, kind, network: name } = alarm;
  const rule = ruleId ?? kind;
  const maySilence = useMay('message.write');
  const mayRule = useUser().gwids === null && maySilence;
  const [silencing, setSilencing] = useState(false);
  return (
    <div className="row alarm-places">
      {gwid ? <PlacesOfNetwork gwid={gwid} alarm={alarm} /> : <PlaceOfAccount kind={kind} />}
      {mayRule && (
        <Link to="/alarm" search={{ tab: 'rules', rule, from_alarm: id }} className="btn">
          {t('alarm.to_rule')}
        </Link>
      )}
      {mayRule && gwid && (
        <Link to="/alarm" search={{ tab: 'rules', rule, gwid, from_alarm: id }} className="btn">
          {t('alarm.rule_from_this')}
        </Link>
      )}
      {maySilence && gwid && (
        <Button icon="clock" onClick={() => setSilencing(true)}>
          {t('site_silence.silence')}
        </Button>
      )}
      {silencing && gwid && <SiteSilenceDialog gwids={[gwid]} name={name} onClose={() => setSilencing(false)} />}
    </div>
  );
}

function PlacesOfNetwork({ gwid, alarm: { kind, serial, part } }: { gwid: string; alarm: AlarmRow }) {
  const network = `/network/${gwid}`;
  return (
    <>
      {kind === 'peripheral_offline' ? (
        <PlacesOfPeripheral gwid={gwid} name={part} />
      ) : (
        serial !== null && (
          <Link to={network} search={{ tab: 'devices', device: serial }} className="btn">
            {t('alarm.to_device')}
          </Link>
        )
      )}
      <Link to={network} className="btn">
        {t('alarm.to_network')}
      </Link>
      <Link to={network} search={{ tab: 'events' }} className="btn">
        {t('alarm.to_outages')}
      </Link>
    </>
  );
}

/** `serial` of such an alarm is the gateway that probes. */
function PlacesOfPeripheral({ gwid, name }: { gwid: string; name: string }) {
  const [mayWrite, maySeePorts] = [useMay('network.write'), useMay('config.read')];
  const [powering, setPowering] = useState(false);
  return (
    <>
      <Link to={`/device/index/${gwid}`} search={{ keyword: name }} className="btn">
        {t('alarm.to_device')}
      </Link>
      {mayWrite && maySeePorts && (
        <Button icon="bolt" onClick={() => setPowering(true)}>
          {t('alarm.restart_power')}
        </Button>
      )}
      {powering && (
        <Suspense>
          <PeripheralPower gwid={gwid} name={name} onClose={() => setPowering(false)} />
        </Suspense>
      )}
    </>
  );
}

function PlaceOfAccount({ kind }: Pick<AlarmRow, 'kind'>) {
  const mayPay = useMay('billing.read');
  if (!mayPay) return null;
  if (kind === 'payment_exception')
    return (
      <Link to="/billing/transactions?tab=exceptions" className="btn">
        {t('alarm.to_exceptions')}
      </Link>
    );
  if (kind === 'payment_difference')
    return (
      <Link to="/billing/transactions" className="btn">
        {t('alarm.to_transactions')}
      </Link>
    );
  if (kind !== 'sms_balance_low') return null;
  return (
    <Link to="/billing/balance" className="btn">
      {t('alarm.to_balance')}
    </Link>
  );
}

function Children({ children, children_total: total }: Detail) {
  if (total === 0) return null;
  return (
    <section>
      <h3 className="section-title">{t('alarm.children', { n: total })}</h3>
      <ul className="alarm-list">
        {children.map((child) => (
          <li key={child.id} className="spread">
            <Other alarm={child} />
            <span className="row small">
              <Tag tone={stateTone(child)}>{stateText(child)}</Tag>
              {duration(child.seconds)}
            </span>
          </li>
        ))}
      </ul>
      {total > children.length && (
        <p className="small dim">{t('alarm.children_more', { n: total - children.length })}</p>
      )}
    </section>
  );
}

/** Another alarm, opened in the same place. */
function Other({ alarm }: { alarm: AlarmRow }) {
  const [search] = useSearch();
  return (
    <Link to="/alarm" search={{ ...search, alarm: alarm.id }}>
      {`${kindText(alarm)} · ${nameText(alarm)}`}
    </Link>
  );
}

function Timeline({ timeline }: Pick<Detail, 'timeline'>) {
  return (
    <section>
      <h3 className="section-title">{t('alarm.timeline')}</h3>
      <ol className="alarm-list">
        {timeline.map((event) => (
          <li key={event.at + event.type}>
            <div className="spread">
              <span>
                {t(`alarm.event_${event.type}`)}
                {event.person && <span className="dim"> · {event.person}</span>}
              </span>
              <span className="small dim">
                <ShortTime at={event.at} />
              </span>
            </div>
            {event.until && (
              <div className="small dim">{t('alarm.event_until', { time: exactTime(new Date(event.until)) })}</div>
            )}
            {event.note && <div className="small">{event.note}</div>}
          </li>
        ))}
      </ol>
    </section>
  );
}
