import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { bytes } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';

type Listed = Row<'/api/v3/portal/session/list'>;
type Device = Pick<Listed, 'mac' | 'verified' | 'method'>;
type Traffic = Pick<Listed, 'up_bytes' | 'down_bytes'>;

export function deviceColumns<R extends Device>(): Column<R>[] {
  return [
    {
      key: 'mac',
      title: t('site_portal.guest_device'),
      cell: (row) => (
        <span className="row nowrap">
          <span className="mono nowrap">{row.mac}</span>
          {!row.verified && <Tag tone="none">{t('site_portal.guest_claimed')}</Tag>}
        </span>
      ),
      text: (row) => row.mac,
    },
    {
      key: 'method',
      title: t('site_portal.guest_method'),
      cell: (row) => methodName(row.method),
      text: (row) => methodName(row.method),
    },
  ];
}

export function trafficColumns<R extends Traffic>(): Column<R>[] {
  return [
    {
      key: 'up',
      title: t('site_portal.guest_up'),
      sort: 'up_bytes',
      right: true,
      cell: (row) => <Traffic value={row.up_bytes} />,
      text: (row) => row.up_bytes,
    },
    {
      key: 'down',
      title: t('site_portal.guest_down'),
      sort: 'down_bytes',
      right: true,
      cell: (row) => <Traffic value={row.down_bytes} />,
      text: (row) => row.down_bytes,
    },
  ];
}

function Traffic({ value }: { value: number | null }) {
  if (value !== null) return bytes(value);
  return (
    <span className="dim" data-hint={t('site_portal.guest_no_traffic')}>
      —
    </span>
  );
}
