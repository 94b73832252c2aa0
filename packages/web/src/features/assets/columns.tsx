import { t } from '../../app/i18n.ts';
import { DeviceDrawing } from '../../ui/device/device-drawing.tsx';
import { exactTime, mac } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { joined } from '../../ui/table/file-columns.ts';
import { RelativeTime, ShortTime } from '../../ui/time.tsx';
import { type AssetRow, drawnOf, nameOf, placeOf, placesOf, sourceOf } from './labels.ts';

const none = <span className="dim">—</span>;
const time = (at: string | null) => (at === null ? '' : exactTime(new Date(at)));

function Short({ children }: { children: string }) {
  return (
    <span className="asset-short ellipsis" title={children}>
      {children}
    </span>
  );
}

export function assetColumns(): Column<AssetRow>[] {
  return [
    {
      key: 'class',
      title: t('assets.class'),
      sort: 'class',
      cell: (row) => (
        <span className="with-drawing nowrap" title={sourceOf(row)}>
          <DeviceDrawing kind={drawnOf(row.class)} size={24} status={row.online ? 'online' : null} />
          {t(`assets.class_${row.class}`)}
        </span>
      ),
      text: (row) => t(`assets.class_${row.class}`),
    },
    {
      key: 'name',
      title: t('assets.name'),
      sort: 'name',
      cell: (row) => (
        <span className="row asset-name">
          <strong className="ellipsis" title={nameOf(row)}>
            {nameOf(row)}
          </strong>
          {row.is_new && <Tag tone="info">{t('assets.new')}</Tag>}
          {row.random_mac && (
            <span title={t('assets.random_hint')}>
              <Tag tone="none">{t('assets.random')}</Tag>
            </span>
          )}
        </span>
      ),
      text: nameOf,
      inFiles: true,
    },
    {
      key: 'vendor',
      title: t('assets.vendor'),
      cell: (row) =>
        row.vendor ? (
          <span className="asset-vendor">
            <Short>{row.vendor}</Short>
          </span>
        ) : (
          none
        ),
      text: (row) => row.vendor,
    },
    {
      key: 'address',
      title: t('assets.address'),
      sort: 'id',
      cell: (row) => (
        <span className="asset-two">
          <span className="mono">{mac(row.id)}</span>
          {row.ip && <span className="mono small dim">{row.ip}</span>}
        </span>
      ),
      text: (row) => mac(row.id),
      inFiles: true,
    },
    {
      key: 'ip',
      title: t('assets.ip'),
      extra: true,
      cell: (row) => (row.ip ? <span className="mono">{row.ip}</span> : none),
      text: (row) => row.ip,
      inFiles: true,
    },
    {
      key: 'place',
      title: t('assets.place'),
      cell: (row) => {
        const [where, at] = placesOf(row);
        if (!where) return none;
        return (
          <span className="asset-two">
            <Short>{where}</Short>
            {at && <span className="small dim ellipsis">{at}</span>}
          </span>
        );
      },
      text: placeOf,
    },
    {
      key: 'first_seen',
      title: t('assets.first_seen'),
      extra: true,
      cell: (row) => <ShortTime at={row.first_seen} />,
      text: (row) => time(row.first_seen),
    },
    {
      key: 'last_seen',
      title: t('assets.last_seen'),
      sort: 'last_seen',
      cell: (row) =>
        row.online ? (
          <Tag tone="ok" shape="dot">
            {t('assets.here')}
          </Tag>
        ) : (
          <RelativeTime at={row.last_seen} />
        ),
      text: (row) => time(row.last_seen),
    },
    {
      key: 'tags',
      title: t('assets.tags'),
      cell: (row) =>
        row.tags.length > 0 ? (
          <span className="row">
            {row.tags.map((tag) => (
              <Tag key={tag} tone="none">
                {tag}
              </Tag>
            ))}
          </span>
        ) : (
          none
        ),
      text: (row) => joined(row.tags),
    },
    {
      key: 'note',
      title: t('assets.note'),
      extra: true,
      cell: (row) => (row.note ? <span className="ellipsis">{row.note}</span> : none),
      text: (row) => row.note,
    },
  ];
}
