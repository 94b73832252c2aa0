import { Fragment } from 'react';
import { t } from '../../app/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { bitRate } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import { PortDetails } from './details.tsx';
import { isSlow, otherEnd, type Port, type PortAnswer, sourceText, speedText, vlanText } from './labels.ts';

export function PortTable(props: {
  ports: readonly Port[];
  chosen: ReadonlySet<string>;
  onToggle: (port: string) => void;
  open: string | null;
  onOpen: (port: string | null) => void;
  data: PortAnswer;
  selectable: boolean;
}) {
  return (
    <table className="plain-table port-table">
      <thead>
        <tr>
          {props.selectable && (
            <th>
              <span className="sr">{t('ports.choose')}</span>
            </th>
          )}
          <th>{t('ports.port')}</th>
          <th>{t('ports.link')}</th>
          <th>{t('ports.poe')}</th>
          <th>{t('ports.vlan')}</th>
          <th>{t('ports.other_end')}</th>
          <th className="number">{t('ports.traffic')}</th>
          <th>
            <span className="sr">{t('ports.details')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {props.ports.map((port) => {
          const open = props.open === port.port;
          return (
            <Fragment key={port.port}>
              <tr data-port={port.port}>
                {props.selectable && (
                  <td>
                    <input
                      type="checkbox"
                      className="box"
                      checked={props.chosen.has(port.port)}
                      aria-label={t('ports.choose_one', { port: port.port })}
                      onChange={() => props.onToggle(port.port)}
                    />
                  </td>
                )}
                <td>
                  <span className="name-cell two-lines">
                    <span className="nowrap">
                      {port.port} {port.uplink && <Tag tone="brand">{t('ports.uplink')}</Tag>}
                    </span>
                    {port.label && <span className="small dim ellipsis">{port.label}</span>}
                  </span>
                </td>
                <td>
                  <Link port={port} />
                </td>
                <td className="nowrap">
                  <Power port={port} />
                </td>
                <td>
                  <span className="name-cell two-lines">
                    <span className="nowrap">{vlanText(port)}</span>
                    {port.source.id !== '' && <span className="small dim ellipsis">{sourceText(port)}</span>}
                  </span>
                </td>
                <td>
                  <span className="name-cell ellipsis" title={otherEnd(port) ?? undefined}>
                    {otherEnd(port) ?? '—'}
                  </span>
                </td>
                <td className="number nowrap small">
                  {port.rates ? (
                    <>
                      <div>↓ {bitRate(port.rates.rx)}</div>
                      <div>↑ {bitRate(port.rates.tx)}</div>
                    </>
                  ) : (
                    '—'
                  )}
                </td>
                <td>
                  <IconButton
                    icon={open ? 'chevron_down' : 'chevron_right'}
                    label={t('ports.details_of', { port: port.port })}
                    aria-expanded={open}
                    onClick={() => props.onOpen(open ? null : port.port)}
                  />
                </td>
              </tr>
              {open && (
                <tr className="port-open">
                  <td colSpan={props.selectable ? 8 : 7}>
                    <PortDetails port={port} data={props.data} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Link({ port }: { port: Port }) {
  if (!port.settings.enabled) return <Tag tone="none">{t('ports.off')}</Tag>;
  if (!port.up) return <span className="dim nowrap">{t('ports.down')}</span>;
  const speed = port.speed === null ? t('ports.up') : speedText(port.speed);
  const half = port.duplex === 'half' ? ` ${t('ports.half')}` : '';
  return (
    <Tag tone={isSlow(port) || half ? 'warn' : 'ok'} shape={isSlow(port) || half ? 'triangle' : 'dot'}>
      {`${speed}${half}`}
    </Tag>
  );
}

function Power({ port: { poe, settings } }: { port: Port }) {
  if (!poe) return <span className="dim">{t('ports.no_poe')}</span>;
  if (poe.fault) return <Tag tone="bad">{poe.fault}</Tag>;
  if (!settings.poe) return <span className="dim">{t('ports.off')}</span>;
  return poe.watts ? t('ports.watts', { n: poe.watts }) : <span className="dim">—</span>;
}
