import { subnetCollisions } from '@yunxun/contract/subnet-collisions';
import type { Data } from '../../../app/api.ts';
import { t } from '../../../app/i18n.ts';
import { useMay } from '../../../app/shell/current.ts';
import { useRead } from '../../../app/use-call.ts';
import { SerialFront } from '../../../ui/device/device-front.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { percent } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { Card } from '../../../ui/page.tsx';
import { Tag } from '../../../ui/status.tsx';
import { roles } from '../../../ui/table/roles.ts';
import { ShortTime } from '../../../ui/time.tsx';
import { Text } from '../shared-columns.tsx';
import { inOrder, isUplink, type SetWan, uplinkPlace } from './uplinks.ts';

type Network = Data<'/api/v3/network/detail'>;
type Wan = NonNullable<Network['lines']>[number];

export function GatewayWans({ data }: { data: Network }) {
  const mayBind = useMay('network.bind');
  const mayConfig = useMay('config.read');
  const { lines: wans, gateway_reason: reason } = data;
  const set = useSetWans(data.gwid, wans !== null && wans.length > 0);
  const collides = (wan: Wan) => set.some((own) => own.collides && isUplink(own, wan.interface));
  const nameOf = (wan: Wan) => set.find((own) => isUplink(own, wan.interface))?.name;
  return (
    <Card title={t('wan.lines')}>
      {wans === null ? (
        <Empty
          icon="unlink"
          title={t(`wan.${reason ?? 'no_report'}`)}
          small
          actions={
            mayBind &&
            reason !== 'no_report' && (
              <Link to="/waiting_devices" className="btn">
                {t('wan.how')}
              </Link>
            )
          }
        >
          {t(`wan.${reason ?? 'no_report'}_how`)}
        </Empty>
      ) : wans.length === 0 ? (
        <Empty
          icon="link"
          title={t('wan.no_lines')}
          small
          actions={
            mayConfig && (
              <Link to={`/network/gateway/${data.gwid}`} className="btn">
                {t('wan.set_up')}
              </Link>
            )
          }
        >
          {t('wan.no_lines_how')}
        </Empty>
      ) : (
        <div className="stack">
          {data.sn && <SerialFront serial={data.sn} />}
          <table role={roles.table} className="plain-table phone-cards">
            <thead role={roles.rows}>
              <tr role={roles.row}>
                <th role={roles.column}>{t('wan.line')}</th>
                <th role={roles.column}>{t('wan.line_state')}</th>
                <th role={roles.column}>{t('wan.line_since')}</th>
                <th role={roles.column}>{t('wan.line_address')}</th>
                <th role={roles.column}>{t('wan.line_gateway')}</th>
                <th role={roles.column}>{t('wan.line_latency')}</th>
                <th role={roles.column}>{t('wan.line_loss')}</th>
              </tr>
            </thead>
            <tbody role={roles.rows}>
              {inOrder(wans, set).map((wan, index) => (
                <WanRow
                  key={wan.interface}
                  line={wan}
                  name={nameOf(wan) ?? t('wan.line_n', { n: index + 1 })}
                  old={data.status !== 'online'}
                  collides={data.status === 'online' && collides(wan)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** Sorts by preference; none while unknown. */
function useSetWans(gwid: string, wanted: boolean): readonly (SetWan & { name: string; collides: boolean })[] {
  const may = useMay('config.read');
  const { data } = useRead('/api/v3/network/gateway/get', { gwid }, { enabled: may && wanted });
  if (!data) return [];
  const collisions = subnetCollisions(data.settings, data.reported);
  return data.settings.lines.map((wan, at) => ({ ...wan, collides: collisions.some((one) => one.line === at) }));
}

function WanRow({ line: wan, name, old, collides }: { line: Wan; name: string; old: boolean; collides: boolean }) {
  const looks = old ? 'stale' : undefined;
  return (
    <tr role={roles.row}>
      <td role={roles.name}>
        <strong className="line-name">{name}</strong>{' '}
        <span className="mono small dim">{uplinkPlace(wan.interface)}</span>
      </td>
      <td role={roles.cell} data-label={t('wan.line_state')}>
        <WanState alive={wan.alive} old={old} />{' '}
        {collides && (
          <Tag tone="bad" shape="cross">
            {t('gateway.collides')}
          </Tag>
        )}
      </td>
      <td role={roles.cell} data-label={t('wan.line_since')} className={looks}>
        <ShortTime at={wan.since} />
      </td>
      <td role={roles.cell} data-label={t('wan.line_address')} className={looks}>
        {wan.address ? <Text value={wan.address} mono /> : <span className="dim">{t('wan.no_address')}</span>}
      </td>
      <td role={roles.cell} data-label={t('wan.line_gateway')} className={looks}>
        <Text value={wan.gateway} mono />
      </td>
      <td role={roles.cell} data-label={t('wan.line_latency')} className={looks}>
        {wan.latency_ms === null ? (
          <span className="dim">{t(wan.loss_pct === null ? 'wan.not_probed' : 'wan.no_answer')}</span>
        ) : (
          t('wan.ms', { n: wan.latency_ms < 10 ? wan.latency_ms.toFixed(1) : Math.round(wan.latency_ms) })
        )}
      </td>
      <td role={roles.cell} data-label={t('wan.line_loss')} className={looks}>
        {wan.loss_pct === null ? <span className="dim">—</span> : percent(wan.loss_pct)}
      </td>
    </tr>
  );
}

function WanState({ alive, old }: { alive: boolean | null; old: boolean }) {
  if (old) {
    const was = alive === null ? 'unknown' : alive ? 'up' : 'down';
    return <Tag tone="none">{t(`wan.line_was_${was}`)}</Tag>;
  }
  if (alive === null) {
    return (
      <Tag tone="none" shape="ring">
        {t('wan.line_looking')}
      </Tag>
    );
  }
  return (
    <Tag tone={alive ? 'ok' : 'bad'} shape={alive ? 'dot' : 'cross'}>
      {t(alive ? 'wan.line_up' : 'wan.line_down')}
    </Tag>
  );
}
