import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { ask } from '../../ui/dialog-host.tsx';
import { Failed } from '../../ui/empty.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import { Conflict } from '../../ui/saving.tsx';
import { notify } from '../../ui/toast.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Candidates } from './candidates.tsx';
import { SdwanTag } from './labels.tsx';
import { ReachMatrix } from './matrix.tsx';
import { type NodePart, NodeTable } from './node-table.tsx';
import { type NetworkDetail, OneNetwork } from './one-network.tsx';
import { addedErrors, type Candidate, fitted, mapped, nodeOf, onlyRemoved, planNode, withoutNode } from './plan.ts';
import { Changes, ModeField, StrategyField, TypeField, WholeErrors } from './plan-fields.tsx';
import { refreshSdwan } from './refresh.ts';
import { type Draft, useCheck } from './use-check.ts';
import './sdwan.css';

export function SdwanManageScreen() {
  return (
    <OneNetwork title="home.sdwan_manage" refetchMs={false}>
      {(detail) => <Editor key={detail.network.id} detail={detail} />}
    </OneNetwork>
  );
}

function Editor({ detail }: { detail: NetworkDetail }) {
  const [edition, setEdition] = useState(0);
  const reload = async () => {
    await refreshSdwan();
    setEdition(edition + 1);
  };
  return <Manage key={edition} detail={detail} onReload={() => void reload()} />;
}

const draftOf = ({ network, nodes }: NetworkDetail): Draft => ({
  name: network.name,
  type: network.type,
  mode: network.mode,
  strategy_id: network.strategy_id,
  nodes: nodes.map(planNode),
});

const isSame = (one: Draft, other: Draft) => JSON.stringify(one) === JSON.stringify(other);

const parts: readonly NodePart[] = ['roles', 'lans', 'bands'];

function Manage({ detail, onReload }: { detail: NetworkDetail; onReload: () => void }) {
  const { network } = detail;
  const navigate = useNavigate();
  const may = useMay('network.write');
  const [base, setBase] = useState(detail);
  const saved = draftOf(base);
  const [draft, setDraft] = useState<Draft>(saved);
  const [adds, setAdds] = useState(false);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const { wrong, busy, send } = useForm<'name'>({ 4105: 'name' });
  const { checked, error, isCurrent } = useCheck(draft, network.id);
  const nameOf = (key: string) => detail.nodes.find((node) => node.key === key)?.name ?? names.get(key) ?? key;
  const isDirty = !isSame(draft, saved);
  const [conflict, setConflict] = useState(false);
  if (base !== detail && (!isDirty || isSame(draft, draftOf(detail)))) {
    setBase(detail);
    setDraft(draftOf(detail));
  }
  const errors = checked?.errors ?? [];
  const gone = onlyRemoved(saved, draft);
  const blocking = gone ? addedErrors(detail.errors, errors) : errors;
  const pick = (candidate: Candidate, on: boolean) => {
    setNames((now) => new Map(now).set(candidate.key, candidate.name));
    const before = saved.nodes.find(({ key }) => key === candidate.key);
    const nodes = on ? [...draft.nodes, before ?? nodeOf(candidate)] : withoutNode(draft.nodes, candidate.key);
    setDraft({ ...draft, nodes: fitted(draft.type, nodes) });
  };
  const done = async (jobId: string | null) => {
    notify('ok', t('sdwan.saved', { name: draft.name }));
    if (jobId) openJobs(jobId);
    await refreshSdwan();
  };
  const save = () =>
    send(
      {},
      async () => {
        const { job_id } = gone
          ? await call('/api/v3/sdwan/member/remove', { id: network.id, keys: gone })
          : await call('/api/v3/sdwan/network/update', {
              id: network.id,
              version: base.network.version,
              ...draft,
            });
        await done(job_id);
      },
      (problem) => {
        const isOvertaken = problem instanceof ApiError && problem.code === 4104;
        if (isOvertaken) setConflict(true);
        return isOvertaken;
      },
    );
  const deploy = () =>
    send({}, async () => {
      const { job_id } = await call('/api/v3/sdwan/network/deploy', { id: network.id });
      await done(job_id);
    });
  const remove = () =>
    ask({
      title: t('sdwan.delete_title', { name: network.name }),
      body: t('sdwan.delete_body'),
      losses: [t('sdwan.loss_tunnels', { n: network.tunnels }), t('sdwan.loss_routes', { n: network.route_count })],
      confirm: t('sdwan.delete'),
      danger: true,
      typed: network.name,
      act: async () => {
        const { job_id } = await call('/api/v3/sdwan/network/delete', { id: network.id });
        await navigate({ to: '/sdwan/index' as never });
        notify('ok', t('sdwan.deleted', { name: network.name }));
        if (job_id) openJobs(job_id);
        await refreshSdwan();
      },
    });
  const why = !isDirty
    ? t('sdwan.why_unchanged')
    : blocking.length > 0
      ? t('sdwan.why_errors')
      : isCurrent
        ? undefined
        : t('sdwan.why_checking');
  const edit = { draft, onChange: setDraft };
  return (
    <Page
      title={network.name}
      extra={<SdwanTag status={network.status} />}
      actions={
        <>
          <Link to="/sdwan/show" search={{ id: network.id }} className="btn">
            {t('home.sdwan_show')}
          </Link>
          {may && (
            <>
              <Button busy={busy} why={isDirty ? t('sdwan.why_save_first') : undefined} onClick={() => void deploy()}>
                {t(network.deployed_at ? 'sdwan.deploy_again' : 'sdwan.deploy')}
              </Button>
              <Button className="btn-bad" icon="trash" onClick={remove}>
                {t('sdwan.delete')}
              </Button>
            </>
          )}
        </>
      }
    >
      <fieldset className="sdwan-plain stack" disabled={!may}>
        <Card title={t('sdwan.basics')}>
          <div className="stack">
            <div className="sdwan-name">
              <NameField
                label={t('sdwan.name')}
                maxLength={32}
                value={draft.name}
                onChange={(name) => setDraft({ ...draft, name })}
                error={wrong.name}
              />
            </div>
            <TypeField {...edit} />
            <ModeField {...edit} />
            <div className="sdwan-name">
              <StrategyField {...edit} />
            </div>
          </div>
        </Card>
        <Card
          title={t('sdwan.nodes')}
          actions={
            may && (
              <Button icon="plus" aria-expanded={adds} onClick={() => setAdds(!adds)}>
                {t('sdwan.add_nodes')}
              </Button>
            )
          }
        >
          <div className="stack">
            {adds && <Candidates picked={new Set(draft.nodes.map(({ key }) => key))} onPick={pick} />}
            {checked && checked.suggestions.length > 0 && (
              <div className="notice notice-warn">
                <span>{t('sdwan.overlap_hint')}</span>
                <Button onClick={() => setDraft({ ...draft, nodes: mapped(draft.nodes, checked.suggestions) })}>
                  {t('sdwan.map_all')}
                </Button>
              </div>
            )}
            <NodeTable
              type={draft.type}
              nodes={draft.nodes}
              errors={errors}
              nameOf={nameOf}
              parts={parts}
              onChange={(nodes) => setDraft({ ...draft, nodes })}
            />
            <WholeErrors errors={errors} />
          </div>
        </Card>
      </fieldset>
      {conflict && (
        <Conflict
          title={t('wireless.conflict')}
          body={t('sdwan.conflict_body')}
          onClose={() => setConflict(false)}
          onReload={onReload}
        />
      )}
      <Card title={t('sdwan.preview')}>
        <div className="stack">
          {error && !checked && <Failed small error={error} retry={() => void refreshSdwan()} />}
          {checked && <Changes checked={checked} nameOf={nameOf} />}
          {checked?.matrix && <ReachMatrix matrix={checked.matrix} nameOf={nameOf} />}
          {may && (
            <div className="row">
              <Button kind="primary" busy={busy} why={why} onClick={() => void save()}>
                {t('sdwan.apply')}
              </Button>
              {isDirty && <Button onClick={onReload}>{t('sdwan.discard')}</Button>}
            </div>
          )}
        </div>
      </Card>
    </Page>
  );
}
