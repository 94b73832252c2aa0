import type { Data } from '../app/api.ts';
import { t } from '../app/i18n.ts';
import { useMay } from '../app/shell/current.ts';
import { useRead, useWrite } from '../app/use-call.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Empty, Failed } from './empty.tsx';
import { mac } from './format.ts';
import { aboutOf, JobBar, shownStatus, sums } from './job-bar.tsx';
import { closeJobs, openJobs } from './job-drawer-state.ts';
import { awaitsReturn, jobName, reasonText } from './job-name.ts';
import { operatorName } from './operator.ts';
import { Loading } from './skeleton.tsx';
import { JobTag, SyncChip } from './status.tsx';
import { RelativeTime, ShortTime } from './time.tsx';

type Detail = Data<'/api/v3/job/detail'>;

/** The latest jobs, or one with every item's state; open on any page, and nothing stops when it is closed. */
export function JobDrawer({ job }: { job: string | null }) {
  return job ? <OneJob key={job} id={job} /> : <JobList />;
}

function JobList() {
  const { data, error, refetch } = useRead('/api/v3/job/list', { page: 1, limit: 20 });
  return (
    <Dialog drawer title={t('jobs.latest')} onClose={closeJobs}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={6}>
          {data?.total === 0 ? (
            <Empty icon="tasks" title={t('jobs.none')} small>
              {t('jobs.none_body')}
            </Empty>
          ) : (
            <ul className="job-list">
              {data?.list.map((each) => (
                <li key={each.id}>
                  <button type="button" className="job-line" onClick={() => openJobs(each.id)}>
                    <span className="spread">
                      <span>
                        <strong>{jobName(each.type)}</strong> <span className="small quiet">{aboutOf(each)}</span>
                      </span>
                      <JobTag status={shownStatus(each)} />
                    </span>
                    <JobBar job={each} />
                    <span className="spread small dim">
                      <span>{sums(each)}</span>
                      <RelativeTime at={each.created_at} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Loading>
      )}
    </Dialog>
  );
}

function OneJob({ id }: { id: string }) {
  const { data, error, refetch } = useRead('/api/v3/job/detail', { job_id: id });
  const mayCancel = useMay('job.write');
  const cancel = useWrite('/api/v3/job/cancel', ['/api/v3/job/detail', '/api/v3/job/list']);
  const startable = data?.items.some(({ cancellable }) => cancellable);
  return (
    <Dialog
      drawer
      title={data ? jobName(data.type) : t('header.jobs')}
      onClose={closeJobs}
      foot={
        <>
          <Button icon="arrow_left" onClick={() => openJobs(null)}>
            {t('jobs.all')}
          </Button>
          {startable && mayCancel && (
            <Button busy={cancel.isPending} onClick={() => cancel.mutate({ job_id: id })}>
              {t('jobs.cancel_rest')}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} small />
      ) : (
        <Loading until={data !== undefined} lines={8}>
          {data && <JobBody job={data} />}
        </Loading>
      )}
    </Dialog>
  );
}

function JobBody({ job }: { job: Detail }) {
  return (
    <>
      <div className="spread">
        <JobTag status={shownStatus(job)} />
        <span className="small dim">
          {t('jobs.by', { who: operatorName(job.operator) })} · <ShortTime at={job.created_at} />
        </span>
      </div>
      <JobBar job={job} />
      <p className="small quiet">{sums(job)}</p>
      {job.items.some(awaitsReturn) && <p className="notice notice-warn">{t('jobs.waiting_hint')}</p>}
      <ul className="item-list">
        {job.items.map((item) => (
          <li key={item.seq}>
            <div className="spread">
              <span className="ellipsis">
                {item.name === item.serial ? mac(item.name) : item.name}
                {item.serial && item.serial !== item.name && (
                  <span className="small dim">
                    {' '}
                    {/* of a terminal the other address is the access point's */}
                    {job.type === 'user_kick' && `${t('jobs.on_device')} `}
                    <span className="mono">{mac(item.serial)}</span>
                  </span>
                )}
              </span>
              {job.type === 'configuration' && item.serial && isUnderWay(item) ? (
                <ItemStand serial={item.serial} status={item.status} />
              ) : (
                <JobTag status={item.status} />
              )}
            </div>
            {item.reason && <p className="small dim">{reasonText(item.reason)}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Sent, and not settled yet: a gateway that tries a configuration out may lose the connection for a while. */
function isUnderWay({ status, reason }: Detail['items'][number]): boolean {
  return status === 'running' || (status === 'waiting_offline' && reason === 'job.answer_lost');
}

/** A device that a configuration is being brought to: a gateway tries it out for a while, and this counts it down. */
function ItemStand({ serial, status }: { serial: string; status: Detail['items'][number]['status'] }) {
  const { data } = useRead('/api/v3/ap/detail', { serial }, { enabled: useMay('network.read') });
  if (data?.sync_state !== 'applying' || !data.trial_until) return <JobTag status={status} />;
  return <SyncChip state="applying" trialUntil={data.trial_until} />;
}
