import { subnetCollisions } from '@yunxun/contract/subnet-collisions';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Empty } from '../../ui/empty.tsx';
import { percent } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { Text } from './shared-columns.tsx';
import { inOrder, isUplink, type SetLine, uplinkPlace } from './uplinks.ts';

type Network = Data<'/api/v3/network/detail'>;
type Line = NonNullable<Network['lines']>[number];

export function GatewayLines({ data }: { data: Network }) {
  const mayBind = useMay('network.bind');
  const mayConfig = useMay('config.read');
  const { lines, gateway_reason: reason } = data;
  const set = useSetLines(data.gwid, lines !== null && lines.length > 0);
  const collides = (line: Line) => set.some((own) => own.collides && isUplink(own, line.interface));
  const nameOf = (line: Line) => set.find((own) => isUplink(own, line.interface))?.name;
  return (
    <Card title={t('wan.lines')}>
      {lines === null ? (
        <Empty
          icon="unlink"
          title={t(`wan.${reason ?? 'no_report'}`)}
          small
          acts={
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
      ) : lines.length === 0 ? (
        <Empty
          icon="link"
          title={t('wan.no_lines')}
          small
          acts={
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
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('wan.line')}</th>
              <th>{t('wan.line_state')}</th>
              <th>{t('wan.line_since')}</th>
              <th>{t('wan.line_address')}</th>
              <th>{t('wan.line_gateway')}</th>
              <th>{t('wan.line_latency')}</th>
              <th>{t('wan.line_loss')}</th>
            </tr>
          </thead>
          <tbody>
            {inOrder(lines, set).map((line, index) => (
              <LineRow
                key={line.interface}
                line={line}
                name={nameOf(line) ?? t('wan.line_n', { n: index + 1 })}
                old={data.status !== 'online'}
                collides={data.status === 'online' && collides(line)}
              />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** Sorts by preference; none while unknown. */
function useSetLines(gwid: string, wanted: boolean): readonly (SetLine & { name: string; collides: boolean })[] {
  const may = useMay('config.read');
  const { data } = useRead('/api/v3/network/gateway/get', { gwid }, { enabled: may && wanted });
  if (!data) return [];
  const collisions = subnetCollisions(data.settings, data.reported);
  return data.settings.lines.map((line, at) => ({ ...line, collides: collisions.some((one) => one.line === at) }));
}

function LineRow({ line, name, old, collides }: { line: Line; name: string; old: boolean; collides: boolean }) {
  const looks = old ? 'stale' : undefined;
  return (
    <tr>
      <th scope="row">
        <strong className="line-name">{name}</strong>{' '}
        <span className="mono small dim">{uplinkPlace(line.interface)}</span>
      </th>
      <td>
        <LineState alive={line.alive} old={old} />{' '}
        {collides && (
          <Tag tone="bad" shape="cross">
            {t('gateway.collides')}
          </Tag>
        )}
      </td>
      <td className={looks}>
        <ShortTime at={line.since} />
      </td>
      <td className={looks}>
        {line.address ? <Text value={line.address} mono /> : <span className="dim">{t('wan.no_address')}</span>}
      </td>
      <td className={looks}>
        <Text value={line.gateway} mono />
      </td>
      <td className={looks}>
        {line.latency_ms === null ? (
          <span className="dim">{t(line.loss_pct === null ? 'wan.not_probed' : 'wan.no_answer')}</span>
        ) : (
          t('wan.ms', { n: line.latency_ms < 10 ? line.latency_ms.toFixed(1) : Math.round(line.latency_ms) })
        )}
      </td>
      <td className={looks}>{line.loss_pct === null ? <span className="dim">—</span> : percent(line.loss_pct)}</td>
    </tr>
  );
}

function LineState({ alive, old }: { alive: boolean | null; old: boolean }) {
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
