import type { Data } from '../app/api.ts';
import { t } from '../app/i18n.ts';
import { useMay } from '../app/shell/current.ts';
import { useRead, useWrite } from '../app/use-call.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Empty, Failed } from './empty.tsx';
import { exactTime, mac } from './format.ts';
import { aboutOf, JobBar, shownStatus, sums } from './job-bar.tsx';
import { closeJobs, openJobs } from './job-drawer-state.ts';
import { awaitsReturn, jobName, jobTitle, reasonText } from './job-name.ts';
import { operatorName } from './operator.ts';
import { Loading } from './skeleton.tsx';
import { JobTag, SyncChip } from './status.tsx';
import { RelativeTime, ShortTime } from './time.tsx';

type Detail = Data<'/api/v3/job/detail'>;

export function JobDrawer({ job }: { job: string | null }) {
  return job ? <OneJob key={job} id={job} /> : <JobList />;
}

function JobList() {
  const { data, error, refetch } = useRead('/api/v3/job/list', { page: 1, limit: 20, automatic: false });
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
                        <strong>{jobName(each.type, each.cause)}</strong>{' '}
                        <span className="small quiet">{aboutOf(each)}</span>
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
      title={data ? jobTitle(data) : t('header.jobs')}
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
      <PlanOf job={job} />
      {wavesOf(job).map((items, at, all) => (
        <section key={items[0]!.wave}>
          {all.length > 1 && (
            <h3 className="small">
              {t('jobs.wave', { n: at + 1, devices: items.length, done: items.filter(isOver).length })}
            </h3>
          )}
          <Items job={job} items={items} />
        </section>
      ))}
    </>
  );
}

type Item = Detail['items'][number];
const isOver = ({ finished_at }: Item) => finished_at !== null;

function wavesOf({ items }: Detail): Item[][] {
  const waves = new Map<number, Item[]>();
  for (const item of items) {
    const own = waves.get(item.wave);
    if (own) own.push(item);
    else waves.set(item.wave, [item]);
  }
  return [...waves].toSorted(([a], [b]) => a - b).map(([, own]) => own);
}

function PlanOf({ job: { plan, stopped, items } }: { job: Detail }) {
  if (!plan) return null;
  const next = Math.min(...items.filter(({ status }) => status === 'queued').map(({ wave }) => wave));
  const before = items.filter(({ wave }) => wave < next).map(({ finished_at }) => finished_at);
  const rests = Number.isFinite(next) && before.length > 0 && before.every((at) => at !== null);
  const from = Math.max(...before.map((at) => Date.parse(at ?? ''))) + plan.rest_s * 1000;
  const names = new Map(items.map(({ seq, name }) => [seq, name]));
  return (
    <>
      {stopped ? (
        <p className="notice notice-warn">
          {t('jobs.stopped_why', { decided: stopped.decided, bad: stopped.bad, unwell: stopped.unwell.length })}{' '}
          {stopped.unwell.slice(0, 5).map(({ seq, reason }) => (
            <span key={seq} className="small">
              {t('jobs.unwell', { name: names.get(seq) ?? '', reason: reasonText(reason) })}{' '}
            </span>
          ))}
        </p>
      ) : (
        <p className="small quiet">{t('jobs.plan', { rest: Math.ceil(plan.rest_s / 60), stop: plan.stop_above })}</p>
      )}
      {plan.windows && !stopped && <p className="small quiet">{t('jobs.windows')}</p>}
      {rests && from > Date.now() && (
        <p className="small quiet">{t('jobs.next_wave', { at: exactTime(new Date(from)) })}</p>
      )}
    </>
  );
}

function Items({ job, items }: { job: Detail; items: readonly Item[] }) {
  return (
    <ul className="item-list">
      {items.map((item) => (
        <li key={item.seq}>
          <div className="spread">
            <span className="ellipsis">
              {item.name === item.serial ? mac(item.name) : item.name}
              {item.serial && item.serial !== item.name && (
                <span className="small dim">
                  {' '}
                  {/* for a client, the second address is its access point's */}
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
  );
}

/** Returns true if sent and not settled: a gateway may lose its connection during commit-confirm. */
function isUnderWay({ status, reason }: Item): boolean {
  return status === 'running' || (status === 'waiting_offline' && reason === 'job.answer_lost');
}

function ItemStand({ serial, status }: { serial: string; status: Item['status'] }) {
  const { data } = useRead('/api/v3/ap/detail', { serial }, { enabled: useMay('network.read') });
  if (data?.sync_state !== 'applying' || !data.trial_until) return <JobTag status={status} />;
  return <SyncChip state="applying" trialUntil={data.trial_until} />;
}
