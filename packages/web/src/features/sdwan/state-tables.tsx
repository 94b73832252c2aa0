import { type ReactNode, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { bytes } from '../../ui/format.ts';
import { PlainPager } from '../../ui/plain-pager.tsx';
import { Tag } from '../../ui/status.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { latencyText, lossText, SdwanTag } from './labels.tsx';
import type { NetworkDetail } from './one-network.tsx';

const perPage = 50;

/** With a pager if there are more. */
function Paged<R>(props: { label: string; heads: readonly string[]; rows: readonly R[]; row: (row: R) => ReactNode }) {
  const [page, setPage] = useState(1);
  const { rows } = props;
  const last = Math.max(1, Math.ceil(rows.length / perPage));
  const at = Math.min(page, last);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll by keyboard too
    <section className="sdwan-wide" tabIndex={0} aria-label={props.label}>
      <table className="plain-table">
        <caption className="sr">{props.label}</caption>
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.slice((at - 1) * perPage, at * perPage).map(props.row)}</tbody>
      </table>
      <PlainPager page={at} pages={last} onChange={setPage} />
    </section>
  );
}

export function NodeStates({ nodes }: { nodes: NetworkDetail['nodes'] }) {
  return (
    <Paged
      label={t('sdwan.nodes')}
      heads={(['name', 'status', 'role', 'lans', 'address', 'endpoint', 'tunnels', 'path', 'reported'] as const).map(
        (key) => t(`sdwan.col_${key}`),
      )}
      rows={nodes}
      row={(node) => (
        <tr key={node.key}>
          <th scope="row" className="wraps">
            {node.name}
            {node.error && <p className="field-error">{node.error}</p>}
          </th>
          <td>
            <SdwanTag status={node.status} />
          </td>
          <td>{t(`sdwan.role_${node.role || 'branch'}`)}</td>
          <td className="mono">
            {node.lans.map(({ prefix, as }) => (
              <div key={prefix}>{as ? t('sdwan.mapped', { prefix, as }) : prefix}</div>
            ))}
          </td>
          <td className="mono">{node.address}</td>
          <td className={node.endpoint === null ? 'dim' : 'mono'}>{node.endpoint ?? t('sdwan.behind_nat')}</td>
          <td>{t('sdwan.of', { n: node.tunnels_up, all: node.tunnels })}</td>
          <td>
            {node.detours === null ? (
              '—'
            ) : node.detours === 0 ? (
              t('sdwan.path_first')
            ) : (
              <Tag tone="warn" shape="triangle">
                {t('sdwan.path_detour', { n: node.detours })}
              </Tag>
            )}
            {node.path_changed_at && (
              <p className="small dim">
                {t('sdwan.path_changed')} <RelativeTime at={node.path_changed_at} />
              </p>
            )}
          </td>
          <td>
            <RelativeTime at={node.reported_at} />
          </td>
        </tr>
      )}
    />
  );
}

function carriesText({ routes, detours }: NetworkDetail['links'][number]): string {
  if (routes === null) return '—';
  if (routes === 0) return t('sdwan.carries_nothing');
  return detours ? t('sdwan.carries_detours', { n: routes, detours }) : t('sdwan.carries', { n: routes });
}

interface Named {
  nameOf: (key: string) => string;
}

export function LinkTable({ links, nameOf }: Named & { links: NetworkDetail['links'] }) {
  return (
    <Paged
      label={t('sdwan.tab_links')}
      heads={(['from', 'to', 'kind', 'state', 'carries', 'latency', 'loss', 'handshake', 'rx', 'tx'] as const).map(
        (key) => t(`sdwan.col_${key}`),
      )}
      rows={links}
      row={(link) => (
        <tr key={`${link.from} ${link.to}`}>
          <th scope="row">{nameOf(link.from)}</th>
          <td>{nameOf(link.to)}</td>
          <td>{t(`sdwan.kind_${link.kind}`)}</td>
          <td>{t(`sdwan.link_${link.state ?? 'none'}`)}</td>
          <td>{carriesText(link)}</td>
          <td>{latencyText(link.latency_ms)}</td>
          <td>{lossText(link.loss_pct)}</td>
          <td>
            <RelativeTime at={link.handshake_at} />
          </td>
          <td>{link.rx_bytes === null ? '—' : bytes(link.rx_bytes)}</td>
          <td>{link.tx_bytes === null ? '—' : bytes(link.tx_bytes)}</td>
        </tr>
      )}
    />
  );
}

export function RouteTable({ routes, nameOf }: Named & { routes: NetworkDetail['routes'] }) {
  return (
    <Paged
      label={t('sdwan.routes')}
      heads={[t('sdwan.col_prefix'), t('sdwan.col_via'), t('sdwan.col_mapped_from')]}
      rows={routes}
      row={(route) => (
        <tr key={route.prefix}>
          <th scope="row" className="mono">
            {route.prefix}
          </th>
          <td>{nameOf(route.key)}</td>
          <td className="mono">{route.mapped_from ?? '—'}</td>
        </tr>
      )}
    />
  );
}
