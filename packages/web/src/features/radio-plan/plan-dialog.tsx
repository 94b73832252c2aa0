import { useState } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { useRead, useWrite } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { operatorName } from '../../ui/operator.ts';
import { Loading } from '../../ui/skeleton.tsx';
import { Tag, type Tone } from '../../ui/status.tsx';
import { ShortTime } from '../../ui/time.tsx';
import { PlanReview } from './plan-review.tsx';

type Plan = Data<'/api/v3/ap/plan/history'>['list'][number];
type Band = Plan['bands'][number];

const bands: readonly Band[] = ['2G', '5G'];
const shown = 20;
const tones: Readonly<Record<Plan['state'], Tone>> = {
  proposed: 'info',
  applied: 'ok',
  reverted: 'none',
  discarded: 'none',
};

export function PlanDialog({ gwid, onClose }: { gwid: string; onClose: () => void }) {
  const [plan, setPlan] = useState<string | null>(null);
  return (
    <Dialog wide title={t('plan.title')} onClose={onClose}>
      {plan ? (
        <PlanReview id={plan} back={() => setPlan(null)} leave={onClose} />
      ) : (
        <Start gwid={gwid} open={setPlan} leave={onClose} />
      )}
    </Dialog>
  );
}

function Start({ gwid, open, leave }: { gwid: string; open: (id: string) => void; leave: () => void }) {
  const mayWrite = useMay('config.write');
  const mayScan = useMay('network.write');
  const [chosen, setChosen] = useState<readonly Band[]>(bands);
  const [dfs, setDfs] = useState(false);
  const start = useWrite('/api/v3/ap/plan/start', ['/api/v3/ap/plan/history']);
  const scan = useWrite('/api/v3/ap/plan/scan', ['/api/v3/job/list', '/api/v3/network/tool/list']);
  const toggle = (band: Band) =>
    setChosen(chosen.includes(band) ? chosen.filter((one) => one !== band) : [...chosen, band]);
  return (
    <div className="stack">
      <p className="quiet">{t('plan.body')}</p>
      {mayScan && (
        <div className="spread">
          <span>
            <strong>{t('plan.step_scan')}</strong>
            <span className="small dim plan-line">{t('plan.step_scan_body')}</span>
          </span>
          <Button
            icon="wifi"
            busy={scan.isPending}
            onClick={() =>
              scan.mutate(
                { gwid },
                {
                  onSuccess: ({ job_id }) => {
                    leave();
                    openJobs(job_id);
                  },
                },
              )
            }
          >
            {t('plan.scan')}
          </Button>
        </div>
      )}
      {mayWrite && (
        <form
          className="stack stack-s"
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen.length === 0) return;
            start.mutate({ gwid, bands: [...chosen], dfs }, { onSuccess: ({ id }) => open(id) });
          }}
        >
          <strong>{t('plan.step_propose')}</strong>
          <div className="row">
            {bands.map((band) => (
              <CheckField key={band} checked={chosen.includes(band)} onChange={() => toggle(band)}>
                {t(`wireless.band_${band}`)}
              </CheckField>
            ))}
            <CheckField checked={dfs} onChange={() => setDfs(!dfs)}>
              {t('plan.dfs')}
            </CheckField>
          </div>
          <div className="row">
            <Button
              kind="primary"
              type="submit"
              busy={start.isPending}
              why={chosen.length === 0 ? t('wireless.bands_required') : undefined}
            >
              {t('plan.propose')}
            </Button>
          </div>
        </form>
      )}
      <History gwid={gwid} open={open} />
    </div>
  );
}

function History({ gwid, open }: { gwid: string; open: (id: string) => void }) {
  const { data } = useRead('/api/v3/ap/plan/history', { gwid, page: 1, limit: shown });
  return (
    <section>
      <h3 className="section-title">{t('plan.history')}</h3>
      <Loading until={data !== undefined} lines={3}>
        {data?.total === 0 ? (
          <p className="small dim">{t('plan.none')}</p>
        ) : (
          <table className="plain-table">
            <tbody>
              {data?.list.map((plan) => (
                <tr key={plan.id}>
                  <td>
                    <button type="button" className="btn btn-link" onClick={() => open(plan.id)}>
                      <ShortTime at={plan.created_at} />
                    </button>
                  </td>
                  <td>{t('plan.changes', { n: plan.changes })}</td>
                  <td className="dim">{operatorName(plan.operator)}</td>
                  <td>{plan.changes > 0 && <Tag tone={tones[plan.state]}>{t(`plan.state_${plan.state}`)}</Tag>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loading>
    </section>
  );
}
