import { lazy, Suspense, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { oneOf, useSearch } from '../../app/search.ts';
import { useMay } from '../../app/shell/current.ts';
import { Button } from '../../ui/button.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Link } from '../../ui/link.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { loadHistory } from '../logs/index.ts';
import { Graph, type GraphLink } from './graph.tsx';
import { latencyText, lossText, toneOf } from './labels.tsx';
import { Legend } from './legend.tsx';
import { lineOf } from './line.ts';
import { ReachMatrix } from './matrix.tsx';
import { ErrorsByNode } from './node-table.tsx';
import { type NetworkDetail, OneNetwork } from './one-network.tsx';
import { PathChanges } from './path-changes.tsx';
import { PathTest } from './path-test.tsx';
import { WholeErrors } from './plan-fields.tsx';
import { LinkTable, NodeStates, RouteTable } from './state-tables.tsx';
import { ThroughputTest } from './throughput.tsx';
import { VerdictCard } from './verdict-card.tsx';
import './sdwan.css';

const ObjectHistory = lazy(loadHistory);

/** Milliseconds between reads: a failover must be visible while it happens. */
const refetchMs = 5000;
const tabs = ['nodes', 'links', 'routes', 'changes', 'matrix', 'test', 'history'] as const;

/** Without a report, the tunnel to the backup centre is taken for idle. */
const isIdle = ({ routes, kind }: NetworkDetail['links'][number]) => (routes === null ? kind === 'bak' : routes === 0);

/** Its badge has the loss only if there is some. */
function drawnLink(link: NetworkDetail['links'][number]): GraphLink {
  const { from, to, state } = link;
  const latency = latencyText(link.latency_ms);
  const note =
    state === 'up'
      ? t('sdwan.link_note', { latency, loss: lossText(link.loss_pct) })
      : t(`sdwan.link_${state ?? 'none'}`);
  const badge = state === 'up' && (link.loss_pct ?? 0) < 0.5 ? latency : note;
  return { from, to, state, note, badge, idle: isIdle(link), detour: (link.detours ?? 0) > 0 };
}

export function SdwanShowScreen() {
  return (
    <OneNetwork title="home.sdwan_show" refetchMs={refetchMs}>
      {(detail) => <Show detail={detail} />}
    </OneNetwork>
  );
}

function Show({ detail }: { detail: NetworkDetail }) {
  const { network, nodes, links, errors } = detail;
  const [search, change] = useSearch();
  const [chosen, setChosen] = useState<string | null>(null);
  const tab = oneOf(search.tab, tabs) ?? 'nodes';
  const nameOf = (key: string) => nodes.find((node) => node.key === key)?.name ?? key;
  const near = (from: string, to: string) => chosen === null || chosen === from || chosen === to;
  const drawn = links.map(drawnLink);
  const mayJobs = useMay('job.read');
  const mayLogs = useMay('log.read');
  return (
    <Page
      title={network.name}
      actions={
        <>
          {detail.job_id && mayJobs && (
            <Button icon="tasks" onClick={() => openJobs(detail.job_id)}>
              {t('sdwan.job')}
            </Button>
          )}
          <Link to="/sdwan/manage" search={{ id: network.id }} className="btn">
            {t('home.sdwan_manage')}
          </Link>
        </>
      }
    >
      <VerdictCard detail={detail} />
      {errors.length > 0 && (
        <Card title={t('sdwan.now_wrong')}>
          <div className="stack stack-s">
            <WholeErrors errors={errors} />
            <ErrorsByNode nodes={nodes} errors={errors} nameOf={nameOf} />
          </div>
        </Card>
      )}
      <Card
        title={t('sdwan.picture')}
        actions={
          chosen !== null && (
            <Button kind="link" onClick={() => setChosen(null)}>
              {t('sdwan.show_all')}
            </Button>
          )
        }
      >
        <Graph
          type={network.type}
          nodes={nodes}
          links={drawn}
          noteOf={(node) => t(`sdwan.status_${node.status}`)}
          toneOf={(node) => toneOf(node.status)}
          statusOf={({ online }) => (online ? 'online' : 'offline')}
          chosen={chosen}
          onChoose={(key) => setChosen(key === chosen ? null : key)}
        />
        <Legend shown={new Set(drawn.map(lineOf))} />
      </Card>
      <Card>
        <Tabs
          label={network.name}
          tabs={tabs
            .filter((value) => value !== 'history' || mayLogs)
            .map((value) => ({ value, label: t(`sdwan.tab_${value}`) }))}
          value={tab}
          onChange={(value) => change({ tab: value === 'nodes' ? undefined : value })}
        >
          {tab === 'nodes' && <NodeStates nodes={nodes.filter(({ key }) => chosen === null || key === chosen)} />}
          {tab === 'links' && <LinkTable links={links.filter(({ from, to }) => near(from, to))} nameOf={nameOf} />}
          {tab === 'routes' && (
            <RouteTable routes={detail.routes.filter(({ key }) => near(key, key))} nameOf={nameOf} />
          )}
          {tab === 'changes' && <PathChanges id={network.id} chosen={chosen} nameOf={nameOf} />}
          {tab === 'matrix' && <ReachMatrix matrix={detail.matrix} nameOf={nameOf} />}
          {tab === 'test' && (
            <div className="stack">
              <PathTest detail={detail} nameOf={nameOf} />
              <ThroughputTest detail={detail} nameOf={nameOf} />
            </div>
          )}
          {tab === 'history' && mayLogs && (
            <Suspense fallback={<Skeleton height={160} />}>
              <ObjectHistory type="sdwan_network" id={network.id} />
            </Suspense>
          )}
        </Tabs>
      </Card>
    </Page>
  );
}
