import { t } from '../../app/i18n.ts';
import { listed } from '../../ui/refusal.ts';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import type { Given } from './given-row.ts';
import { permissionsText } from './labels.ts';
import { presetOf } from './permissions-field.tsx';

export function hostedNetworks({ gwids, network_names: names }: Given): string {
  return gwids ? listed(names) : t('pick.all');
}

function hostedPermissions({ permissions }: Given): string {
  const preset = presetOf(permissions);
  return preset === 'own' ? t('hosting.some_permissions', { n: permissions.length }) : t(`hosting.preset_${preset}`);
}

export function hostingColumns(): Column<Given>[] {
  return [
    {
      key: 'account',
      title: t('hosting.account'),
      cell: (row) => <strong>{row.account_name}</strong>,
      text: (row) => row.account_name,
    },
    {
      key: 'networks',
      title: t('pick.networks'),
      cell: (row) => <span className="hosted-networks">{hostedNetworks(row)}</span>,
      text: hostedNetworks,
    },
    {
      key: 'permissions',
      title: t('hosting.permissions'),
      cell: (row) => <span title={permissionsText(row.permissions)}>{hostedPermissions(row)}</span>,
      text: (row) => permissionsText(row.permissions),
    },
    {
      key: 'since',
      title: t('hosting.since'),
      cell: (row) => <ShortTime at={row.created_at} />,
      text: (row) => row.created_at,
    },
    {
      key: 'used',
      title: t('hosting.last_used'),
      cell: (row) =>
        row.last_used_at ? <RelativeTime at={row.last_used_at} /> : <span className="dim">{t('member.not_yet')}</span>,
      text: (row) => row.last_used_at,
    },
  ];
}
