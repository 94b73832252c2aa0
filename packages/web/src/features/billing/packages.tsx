import { useMemo, useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { queryClient } from '../../app/session.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty } from '../../ui/empty.tsx';
import { bytes } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { networksText } from '../../ui/networks-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { Coupons } from './coupons/coupons.tsx';
import type { GuestPackage } from './goods-rows.ts';
import { PackageDialog } from './package-dialog.tsx';

const path = '/api/v3/billing/package/list';

const again = () => queryClient.invalidateQueries({ queryKey: [path] });

const tabs = ['packages', 'coupons'] as const;

export function PackagesScreen() {
  const [search, change] = useSearch();
  const tab = oneOf(search.tab, tabs) ?? 'packages';
  return (
    <Page title={t('personal.billing_packages')}>
      <Tabs
        label={t('personal.billing_packages')}
        tabs={tabs.map((value) => ({ value, label: t(`goods.tab_${value}`) }))}
        value={tab}
        onChange={(value) =>
          change({
            tab: value === 'packages' ? undefined : value,
            page: undefined,
            keyword: undefined,
            sort: undefined,
            order: undefined,
          })
        }
      >
        {tab === 'packages' && <Packages />}
        {tab === 'coupons' && <Coupons />}
      </Tabs>
    </Page>
  );
}

function Packages() {
  const may = useMay('billing.write');
  const [open, setOpen] = useState<GuestPackage | 'new' | null>(null);
  const columns = useMemo(columnsOf, []);
  const create = may && (
    <Button kind="primary" icon="plus" onClick={() => setOpen('new')}>
      {t('goods.package_create')}
    </Button>
  );
  return (
    <>
      <DataTable
        path={path}
        name="billing-packages"
        title={t('personal.billing_packages')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('goods.package_search')}
        {...(may ? { actions: (row: GuestPackage) => <Actions row={row} onEdit={() => setOpen(row)} /> } : {})}
        never={
          <Empty icon="box" title={t('goods.packages_empty')} actions={create}>
            {t('goods.packages_empty_body')}
          </Empty>
        }
        toolbar={create}
      />
      {open && (
        <PackageDialog
          edited={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            notify('ok', t('goods.saved'));
            void again();
          }}
        />
      )}
    </>
  );
}

function Actions({ row, onEdit }: { row: GuestPackage; onEdit: () => void }) {
  const turn = () =>
    void call('/api/v3/billing/package/save', { id: row.id, enabled: !row.enabled }).then(again, notifyError);
  const remove = () =>
    ask({
      title: t('goods.package_delete_title', { name: row.name }),
      body: t('goods.package_delete_body'),
      confirm: t('goods.package_delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/billing/package/delete', { ids: [row.id] });
        await again();
      },
    });
  return (
    <Menu
      label={row.name}
      target={(trigger) => <IconButton icon="more" label={row.name} {...trigger} />}
      items={[
        { label: t('goods.package_edit'), icon: 'edit', act: onEdit },
        { label: t(row.enabled ? 'goods.switch_off' : 'goods.switch_on'), icon: 'power', act: turn },
        { label: t('goods.package_delete'), icon: 'trash', danger: true, act: remove },
      ]}
    />
  );
}

function columnsOf(): Column<GuestPackage>[] {
  const limit = (value: number) => (value === 0 ? t('goods.unlimited') : value);
  return [
    {
      key: 'name',
      title: t('goods.name'),
      sort: 'name',
      cell: (row) => <strong>{row.name}</strong>,
      text: (row) => row.name,
    },
    {
      key: 'price',
      title: t('goods.price'),
      sort: 'price',
      right: true,
      cell: (row) => row.price,
      text: (row) => Number(row.price),
    },
    {
      key: 'enabled',
      title: t('goods.state'),
      cell: (row) => <Tag tone={row.enabled ? 'ok' : 'none'}>{t(row.enabled ? 'goods.on' : 'goods.off')}</Tag>,
      text: (row) => t(row.enabled ? 'goods.on' : 'goods.off'),
    },
    {
      key: 'minutes',
      title: t('goods.minutes'),
      sort: 'minutes',
      right: true,
      cell: (row) => limit(row.minutes),
      text: (row) => row.minutes,
    },
    {
      key: 'bytes',
      title: t('goods.data'),
      sort: 'bytes',
      right: true,
      cell: (row) => (row.bytes === 0 ? t('goods.unlimited') : bytes(row.bytes)),
      text: (row) => row.bytes,
    },
    {
      key: 'devices',
      title: t('goods.devices'),
      sort: 'devices',
      right: true,
      cell: (row) => row.devices,
      text: (row) => row.devices,
    },
    {
      key: 'valid_days',
      title: t('goods.valid_days'),
      sort: 'valid_days',
      right: true,
      cell: (row) => row.valid_days,
      text: (row) => row.valid_days,
    },
    {
      key: 'networks',
      title: t('goods.networks'),
      cell: (row) => networksText(row.gwids),
      text: (row) => networksText(row.gwids),
    },
    {
      key: 'sold',
      title: t('goods.sold'),
      sort: 'sold',
      right: true,
      cell: (row) => row.sold,
      text: (row) => row.sold,
    },
  ];
}
