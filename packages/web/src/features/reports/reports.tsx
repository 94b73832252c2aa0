import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead } from '../../app/use-call.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Empty, Failed } from '../../ui/empty.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/status.tsx';
import { roles } from '../../ui/table/roles.ts';
import { ShortTime } from '../../ui/time.tsx';
import { notify } from '../../ui/toast.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { type Period, type Report, refreshReports, stateTones, whenText } from './report.ts';
import { ReportDialog } from './report-dialog.tsx';

type Open = { as: 'new' } | { as: 'edit'; report: Report } | { as: 'preview'; period: Period };

/** Milliseconds between reads while a report is on its way. */
const underWayMs = 2000;

/** Reports by mail of the account. */
export function Reports() {
  const [isUnderWay, setUnderWay] = useState(false);
  const { data, error, refetch } = useRead('/api/v3/report/list', {}, { refetchMs: isUnderWay && underWayMs });
  const may = useMay('message.write');
  const mayPreview = useMay('network.read');
  const [open, setOpen] = useState<Open | null>(null);
  const waits =
    data?.list.some(({ last }) => last.some((one) => one.state === 'waiting' && one.error === null)) ?? false;
  if (waits !== isUnderWay) setUnderWay(waits);
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  const close = () => setOpen(null);
  const acts = (
    <span className="row">
      {may && (
        <Button kind="primary" icon="plus" onClick={() => setOpen({ as: 'new' })}>
          {t('reports.create')}
        </Button>
      )}
      {mayPreview && (
        <Button icon="eye" onClick={() => setOpen({ as: 'preview', period: 'day' })}>
          {t('reports.preview')}
        </Button>
      )}
    </span>
  );
  return (
    <section className="card">
      {data?.mail === false && (
        <div className="card-pad">
          <p className="notice notice-warn">{t('reports.no_mail')}</p>
        </div>
      )}
      <Loading until={data !== undefined} lines={5}>
        {data?.list.length === 0 ? (
          <Empty icon="mail" title={t('reports.never')} actions={acts}>
            {t('reports.about')}
          </Empty>
        ) : (
          <div className="card-pad stack">
            <div className="spread">
              <p className="quiet">{t('reports.about')}</p>
              {acts}
            </div>
            <table role={roles.table} className="plain-table phone-cards">
              <thead role={roles.rows}>
                <tr role={roles.row}>
                  {(['name', 'when', 'members', 'next', 'last'] as const).map((key) => (
                    <th role={roles.column} key={key}>
                      {t(`reports.${key}`)}
                    </th>
                  ))}
                  <th role={roles.column}>
                    <span className="sr">{t('action.edit')}</span>
                  </th>
                </tr>
              </thead>
              <tbody role={roles.rows}>
                {data?.list.map((report) => (
                  <Line key={report.id} report={report} may={may} preview={mayPreview} open={setOpen} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loading>
      {open?.as === 'new' && <ReportDialog zone={data?.time_zone ?? ''} report={null} onClose={close} />}
      {open?.as === 'edit' && <ReportDialog zone={data?.time_zone ?? ''} report={open.report} onClose={close} />}
      {open?.as === 'preview' && <PreviewDialog period={open.period} onClose={close} />}
    </section>
  );
}

function Line(props: { report: Report; may: boolean; preview: boolean; open: (open: Open) => void }) {
  const { report, may, preview, open } = props;
  const { id, name, members } = report;
  const remove = () =>
    ask({
      title: t('reports.delete_title', { name }),
      body: t('reports.delete_body'),
      confirm: t('reports.delete'),
      danger: true,
      act: async () => {
        await call('/api/v3/report/delete', { id });
        notify('ok', t('reports.deleted'));
        await refreshReports();
      },
    });
  const test = () =>
    ask({
      title: t('reports.test_title', { name }),
      body: t('reports.test_body', { n: members.length }),
      confirm: t('reports.test'),
      act: async () => {
        await call('/api/v3/report/test', { id });
        notify('ok', t('reports.test_started'));
        await refreshReports();
      },
    });
  const label = t('reports.acts', { name });
  return (
    <tr role={roles.row}>
      <td role={roles.cell}>
        <strong>{name}</strong> {!report.enabled && <Tag tone="none">{t('reports.off')}</Tag>}
      </td>
      <td role={roles.cell} data-label={t('reports.when')}>
        {whenText(report)}
      </td>
      <td role={roles.cell} data-label={t('reports.members')}>
        {t('reports.members_n', { n: members.length })}
      </td>
      <td role={roles.cell} data-label={t('reports.next')}>
        {report.next_at ? <ShortTime at={report.next_at} /> : <span className="dim">—</span>}
      </td>
      <td role={roles.cell} data-label={t('reports.last')}>
        <Last last={report.last} />
      </td>
      <td role={roles.cell} className="right cell-acts">
        <span className="row nowrap">
          {preview && (
            <IconButton
              icon="eye"
              label={t('reports.preview')}
              onClick={() => open({ as: 'preview', period: report.period })}
            />
          )}
          {may && (
            <>
              <IconButton
                icon="edit"
                label={t('reports.edit', { name })}
                onClick={() => open({ as: 'edit', report })}
              />
              <Menu
                label={label}
                target={(trigger) => <IconButton icon="more" label={label} {...trigger} />}
                items={[
                  { label: t('reports.test'), icon: 'mail', act: test },
                  { label: t('reports.delete'), icon: 'trash', danger: true, act: remove },
                ]}
              />
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

/** One line for each recipient, with the reason where one did not get it. */
function Last({ last }: { last: Report['last'] }) {
  const at = last[0]?.at;
  if (at === undefined) return <span className="dim">{t('reports.last_none')}</span>;
  return (
    <div className="stack stack-s">
      <ShortTime at={at} />
      {last.map(({ person, state, error }) => (
        <div key={person}>
          <span className="row">
            <Tag tone={stateTones[state]}>{t(`subscription.state_${state}`)}</Tag>
            <span>{person}</span>
          </span>
          {error !== null && <div className="small dim">{error}</div>}
        </div>
      ))}
    </div>
  );
}
