import { t } from '../../../app/i18n.ts';
import { percent } from '../../../ui/format.ts';
import { Tag } from '../../../ui/status.tsx';
import type { RunDetail } from './labels.ts';

type Neighbour = NonNullable<RunDetail['neighbours']>[number];

export function Neighbours({ list }: { list: readonly Neighbour[] }) {
  const channels = new Map<number, number>();
  for (const { channel } of list) if (channel !== null) channels.set(channel, (channels.get(channel) ?? 0) + 1);
  return (
    <div className="stack stack-s">
      {list.length === 0 ? (
        <p className="small dim">{t('neighbours.none_found')}</p>
      ) : (
        <>
          <div className="tags">
            {[...channels]
              .toSorted(([a], [b]) => a - b)
              .map(([channel, count]) => (
                <span key={channel} className="label">
                  {t('neighbours.on_channel', { channel, n: count })}
                </span>
              ))}
          </div>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{t('wireless.name')}</th>
                <th>{t('wireless.channel')}</th>
                <th>{t('clients.signal')}</th>
                <th>{t('device.radio_util')}</th>
                <th>{t('neighbours.whose')}</th>
              </tr>
            </thead>
            <tbody>
              {list.map((one) => (
                <tr key={one.bssid}>
                  <td>
                    <span className="name-cell two-lines">
                      <span className="ellipsis">{one.ssid ?? t('neighbours.hidden')}</span>
                      <span className="mono dim">{one.bssid}</span>
                    </span>
                  </td>
                  <td>{one.channel ?? '—'}</td>
                  <td className="nowrap">{one.signal === null ? '—' : `${one.signal} dBm`}</td>
                  <td>{one.util_pct === null ? '—' : percent(one.util_pct)}</td>
                  <td>
                    {one.own ? (
                      <Tag tone="brand">{t('neighbours.own')}</Tag>
                    ) : (
                      <Tag tone="none">{t('neighbours.other')}</Tag>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}
