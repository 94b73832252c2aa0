import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failed } from '../../ui/empty.tsx';
import { fieldError } from '../../ui/field.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Card, Page } from '../../ui/page.tsx';
import { NameField } from '../../ui/rule-fields.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import { Candidates } from './candidates.tsx';
import { Graph } from './graph.tsx';
import { bandText, dayText } from './labels.tsx';
import { ReachMatrix } from './matrix.tsx';
import { ErrorsByNode, NodeTable } from './node-table.tsx';
import { type Candidate, fitted, mapped, nodeOf, withoutNode } from './plan.ts';
import { ModeField, StrategyField, TypeField, WholeErrors } from './plan-fields.tsx';
import { refreshSdwan } from './refresh.ts';
import { type Draft, useCheck } from './use-check.ts';
import './sdwan.css';

const steps = ['type', 'nodes', 'lans', 'mode', 'summary'] as const;

export function SdwanCreateScreen() {
  const navigate = useNavigate();
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<Draft>({ name: '', type: 2, mode: 'transit', strategy_id: null, nodes: [] });
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [nameWrong, setNameWrong] = useState<string | null>(null);
  const { checked, error, isCurrent } = useCheck(draft);
  const { data: status } = useRead('/api/v3/sdwan/status', {});
  const nameOf = (key: string) => names.get(key) ?? key;
  const errors = draft.nodes.length > 0 ? (checked?.errors ?? []) : [];
  const pick = (candidate: Candidate, on: boolean) => {
    setNames((now) => new Map(now).set(candidate.key, candidate.name));
    const nodes = on ? [...draft.nodes, nodeOf(candidate)] : withoutNode(draft.nodes, candidate.key);
    setDraft({ ...draft, nodes: fitted(draft.type, nodes) });
  };
  const finish = async (deploys: boolean) => {
    const wrong = fieldError('nameText', draft.name);
    setNameWrong(wrong);
    if (wrong) return setStep(0);
    setBusy(true);
    try {
      const { id } = await call('/api/v3/sdwan/network/create', draft);
      await navigate({ to: (deploys ? '/sdwan/show' : '/sdwan/manage') as never, search: { id } as never });
      notify('ok', t('sdwan.created', { name: draft.name }));
      if (deploys) {
        const { job_id } = await call('/api/v3/sdwan/network/deploy', { id });
        if (job_id) openJobs(job_id);
      }
      await refreshSdwan();
    } catch (problem) {
      notifyError(problem);
      setBusy(false);
    }
  };
  const why = errors.length > 0 || !checked ? t('sdwan.why_errors') : isCurrent ? undefined : t('sdwan.why_checking');
  const edits = { type: draft.type, nodes: draft.nodes, errors, nameOf, chosen };
  const onNodes = (nodes: Draft['nodes']) => setDraft({ ...draft, nodes });
  const at = steps[step]!;
  return (
    <Page title={t('home.sdwan_create')}>
      <ol className="sdwan-steps" aria-label={t('sdwan.steps')}>
        {steps.map((name, index) => (
          <li key={name} aria-current={index === step ? 'step' : undefined}>
            {t('sdwan.step', { n: index + 1, name: t(`sdwan.step_${name}`) })}
          </li>
        ))}
      </ol>
      {error && !checked && <Failed small error={error} retry={() => void refreshSdwan()} />}
      <Card title={t(`sdwan.step_${at}`)}>
        <div className="stack">
          {at === 'type' && (
            <>
              <TypeField draft={draft} onChange={setDraft} hideLabel />
              <div className="sdwan-name">
                <NameField
                  label={t('sdwan.name')}
                  maxLength={32}
                  value={draft.name}
                  onChange={(name) => setDraft({ ...draft, name })}
                  error={nameWrong}
                />
              </div>
            </>
          )}
          {at === 'nodes' && (
            <>
              <Candidates picked={new Set(draft.nodes.map(({ key }) => key))} onPick={pick} />
              {draft.nodes.length > 0 && <NodeTable {...edits} parts={['roles']} onChange={onNodes} />}
            </>
          )}
          {at === 'lans' && (
            <>
              {checked && checked.suggestions.length > 0 && (
                <div className="notice notice-warn">
                  <span>{t('sdwan.overlap_hint')}</span>
                  <Button onClick={() => onNodes(mapped(draft.nodes, checked.suggestions))}>
                    {t('sdwan.map_all')}
                  </Button>
                </div>
              )}
              <NodeTable {...edits} parts={['lans']} onChange={onNodes} />
            </>
          )}
          {at === 'mode' && (
            <>
              <ModeField draft={draft} onChange={setDraft} hideLabel />
              {checked?.matrix ? (
                <>
                  <p className="small dim">{t('sdwan.matrix_hint')}</p>
                  <ReachMatrix matrix={checked.matrix} nameOf={nameOf} />
                </>
              ) : (
                <>
                  <p className="quiet">{t('sdwan.matrix_none')}</p>
                  <ErrorsByNode nodes={draft.nodes} errors={errors} nameOf={nameOf} />
                </>
              )}
            </>
          )}
          {at === 'summary' && (
            <>
              <NodeTable {...edits} parts={['bands']} onChange={onNodes} />
              <StrategyField draft={draft} onChange={setDraft} />
              <dl className="facts">
                <dt>{t('sdwan.name')}</dt>
                <dd>{draft.name || '—'}</dd>
                <dt>{t('sdwan.type')}</dt>
                <dd>{t(`sdwan.type_${draft.type}`)}</dd>
                <dt>{t('sdwan.nodes')}</dt>
                <dd>{draft.nodes.length}</dd>
                <dt>{t('sdwan.tunnels')}</dt>
                <dd>{checked?.links.length ?? '—'}</dd>
                <dt>{t('sdwan.routes')}</dt>
                <dd>{checked?.routes.length ?? '—'}</dd>
                <dt>{t('sdwan.widthband')}</dt>
                <dd>{bandText(draft.nodes.reduce((sum, node) => sum + node.widthband, 0))}</dd>
                <dt>{t('sdwan.validity')}</dt>
                <dd>{status ? dayText(status.expire_at) : '—'}</dd>
              </dl>
            </>
          )}
          <WholeErrors errors={errors} />
          <div className="row">
            {step > 0 && (
              <Button icon="arrow_left" onClick={() => setStep(step - 1)}>
                {t('sdwan.back')}
              </Button>
            )}
            {at === 'summary' ? (
              <>
                <Button busy={busy} why={why} onClick={() => void finish(false)}>
                  {t('sdwan.save_draft')}
                </Button>
                <Button kind="primary" busy={busy} why={why} onClick={() => void finish(true)}>
                  {t('sdwan.deploy')}
                </Button>
              </>
            ) : (
              <Button kind="primary" onClick={() => setStep(step + 1)}>
                {t('sdwan.next')}
              </Button>
            )}
          </div>
        </div>
      </Card>
      {draft.nodes.length > 0 && (
        <Card title={t('sdwan.picture')}>
          <Graph
            type={draft.type}
            nodes={draft.nodes.map((node) => ({ ...node, name: nameOf(node.key) }))}
            links={(checked?.links ?? []).map((link) => ({ ...link, state: null, idle: link.kind === 'bak' }))}
            noteOf={({ role, lans }) => (role ? t(`sdwan.role_${role}`) : (lans[0]?.prefix ?? t('sdwan.role_branch')))}
            toneOf={({ key }) => (errors.some((one) => one.key === key) ? 'bad' : 'brand')}
            chosen={chosen}
            onChoose={setChosen}
          />
        </Card>
      )}
    </Page>
  );
}
