import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Row } from '../../app/api.ts';
import { locale, t } from '../../app/i18n.ts';
import { methodName } from '../../app/method-name.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/status.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { joined } from '../../ui/table/file-columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { notifyError } from '../../ui/toast.tsx';
import { askDelete, askPublish } from './actions.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { statusName, statusTone } from './labels.ts';
import { Thumbnail } from './portal-preview.tsx';
import { PageDialog } from './versions.tsx';
import './portal-templates.css';

export type TemplateRow = Row<'/api/v3/auth_template/list'>;
const statuses = ['draft', 'published', 'changed'] as const;

export function PortalTemplatesScreen() {
  const may = useMay('config.write');
  const navigate = useNavigate();
  const [copying, setCopying] = useState<TemplateRow | null>(null);
  const [seen, setSeen] = useState<TemplateRow | null>(null);
  const columns = useMemo(columnsOf, []);
  const open = (id: string) => void navigate({ to: '/config/template_edit/$id', params: { id } as never });
  const create = may && (
    <Button
      kind="primary"
      icon="plus"
      onClick={() => void navigate({ to: '/config/template_add/$id', params: { id: '0' } as never })}
    >
      {t('config.template_add')}
    </Button>
  );
  return (
    <Page title={t('config.template_manage')}>
      <DataTable
        path="/api/v3/auth_template/list"
        name="portal-templates"
        title={t('config.template_manage')}
        columns={columns}
        rowKey={(row) => row.id}
        searchHint={t('template.search')}
        onOpen={(row) => (may ? open(row.id) : setSeen(row))}
        filters={[
          {
            name: 'status',
            label: t('portal.status'),
            options: statuses.map((value) => ({ value, label: statusName(value) })),
          },
        ]}
        actions={(row: TemplateRow) => (
          <Actions
            row={row}
            may={may}
            see={() => setSeen(row)}
            open={() => open(row.id)}
            copy={() => setCopying(row)}
          />
        )}
        never={
          <Empty icon="layout" title={t('template.never')} actions={create}>
            {t('portal.never')}
          </Empty>
        }
        toolbar={create}
      />
      {seen && <PageDialog template={seen} onClose={() => setSeen(null)} />}
      {copying && (
        <CopyDialog
          template={copying}
          onClose={() => setCopying(null)}
          onCopied={(id) => {
            setCopying(null);
            open(id);
          }}
        />
      )}
    </Page>
  );
}

function Actions(props: { row: TemplateRow; may: boolean; see: () => void; open: () => void; copy: () => void }) {
  const { row, may, see, open, copy } = props;
  const navigate = useNavigate();
  const label = t('template.acts', { name: row.name });
  const editPage = () =>
    void navigate({ to: '/config/auth_portal/$id/$tempid', params: { id: '0', tempid: row.id } as never });
  return (
    <div>
      <Menu
        label={label}
        width={260}
        target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
        items={[
          { label: t('portal.preview'), icon: 'eye', act: see },
          ...(may
            ? [
                { label: t('portal.edit'), icon: 'edit' as const, act: open },
                { label: t('portal.edit_page'), icon: 'layout' as const, act: editPage },
                { label: t('template.copy'), icon: 'copy' as const, act: copy },
                {
                  label: t('portal.publish'),
                  icon: 'share' as const,
                  why: row.status === 'published' ? t('portal.nothing_to_publish') : undefined,
                  act: () => void askPublish(row).catch(notifyError),
                },
                {
                  label: t('template.delete'),
                  icon: 'trash' as const,
                  danger: true,
                  why: row.networks > 0 ? t('portal.delete_used', { n: row.networks }) : undefined,
                  act: () => askDelete(row),
                },
              ]
            : []),
        ]}
      />
    </div>
  );
}

function columnsOf(): Column<TemplateRow>[] {
  return [
    {
      key: 'page',
      title: t('portal.page'),
      width: 88,
      cell: (row) => (
        <Thumbnail
          width={56}
          page={row.page}
          methods={row.methods}
          pictures={row.pictures}
          language={locale() === 'en' ? 'en' : 'zh'}
          dark={false}
        />
      ),
    },
    {
      key: 'name',
      title: t('template.name'),
      sort: 'name',
      cell: (row) => <Link to={`/config/template_edit/${row.id}`}>{row.name}</Link>,
      text: (row) => row.name,
      inFiles: true,
    },
    {
      key: 'methods',
      title: t('portal.methods'),
      cell: (row) => (
        <span className="tags">
          {row.methods.map((kind) => (
            <span key={kind} className="label">
              {methodName(kind)}
            </span>
          ))}
        </span>
      ),
      text: (row) => joined(row.methods.map(methodName)),
    },
    {
      key: 'status',
      title: t('portal.status'),
      cell: (row) => (
        <span>
          <Tag tone={statusTone[row.status]}>{statusName(row.status)}</Tag>
          {row.version !== null && <div className="small dim">{t('template.version_n', { n: row.version })}</div>}
        </span>
      ),
      text: (row) => statusName(row.status),
    },
    {
      key: 'networks',
      title: t('portal.networks'),
      sort: 'networks',
      right: true,
      cell: (row) => row.networks,
      text: (row) => row.networks,
    },
    {
      key: 'updated',
      title: t('template.updated'),
      sort: 'updated_at',
      cell: (row) => (
        <span>
          <RelativeTime at={row.updated_at} />
          <div className="small dim ellipsis">{row.updated_by}</div>
        </span>
      ),
      text: (row) => row.updated_at,
    },
  ];
}
