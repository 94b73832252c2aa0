import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useRef, useState, useSyncExternalStore } from 'react';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useMay } from '../../app/shell/current.ts';
import type { Answer } from '../../ui/answer.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { AsOf } from '../../ui/time.tsx';
import { AbsentLine, absentCards } from './absent.tsx';
import { AlarmsCard } from './alarms-card.tsx';
import { AttentionCard, attentionTotal } from './attention.tsx';
import { Board } from './board/board.tsx';
import type { CardId } from './board/layout.ts';
import { useArrangement } from './board/use-arrangement.ts';
import { AuthFigure, IncomeFigure, InterceptFigure, OnlineFigure } from './figures.tsx';
import { BandsCard, FlowCard, WirelessCard } from './flow-cards.tsx';
import { LatestJobs } from './latest-jobs.tsx';
import { OnlineCard } from './online-card.tsx';
import { RenderWhenVisible } from './render-when-visible.tsx';
import type { StripData } from './strip/figures.ts';
import { Strip } from './strip/strip.tsx';
import { TrendCard } from './trend-card.tsx';
import { loadNightCard, loadProblemsCard, loadRankingCard, loadTilesCard } from './trouble/load.ts';
import { isOfHome, Paused, useFactsOfHome, useHome } from './use-home.ts';
import './overview.css';
import { loadWaitingGuide } from '../fleet/index.ts';

const WaitingGuide = lazy(loadWaitingGuide);
const BusinessNotice = lazy(async () => ({ default: (await import('./business-notice.tsx')).BusinessNotice }));
const FlowModelCard = lazy(async () => ({ default: (await import('./flow-model.tsx')).FlowModelCard }));
const UserModelCard = lazy(async () => ({ default: (await import('./user-model.tsx')).UserModelCard }));
const ProblemsCard = lazy(loadProblemsCard);
const NightCard = lazy(loadNightCard);
const TilesCard = lazy(loadTilesCard);
const RankingCard = lazy(loadRankingCard);
/** Pixels; the cards grow below the window. */
const MODEL_HEIGHT = 320;
/** Of a line, as when all is well. */
const LINE_HEIGHT = 44;

export function OverviewScreen() {
  const [paused, setPaused] = useState(false);
  return (
    <Paused value={paused}>
      <Overview paused={paused} setPaused={setPaused} />
    </Paused>
  );
}

function Overview({ paused, setPaused }: { paused: boolean; setPaused: (paused: boolean) => void }) {
  const [arranging, setArranging] = useState(false);
  const wall = useWall();
  const box = useRef<HTMLDivElement>(null);
  const client = useQueryClient();
  const mayStatistics = useMay('statistics.read');
  const mayJobs = useMay('job.read');
  const mayMoney = useMay('billing.read');
  const strip = useHome('/api/v3/overview/strip', {});
  const sums = useHome('/api/v3/user_stat/complex', {}, { allowed: mayStatistics });
  const wireless = useHome('/api/v3/user_stat/ap_complex', {}, { allowed: mayStatistics });
  const attended = useHome('/api/v3/overview/attention', {});
  useFactsOfHome();
  const absent = absentCards(strip, sums);
  const arrangement = useArrangement(absent);
  const { data } = attended;
  if (data && data.networks.total === 0 && data.aps.total === 0 && data.waiting.total === 0) {
    return (
      <Page title={t('overview.start')}>
        <Suspense>
          <WaitingGuide />
        </Suspense>
      </Page>
    );
  }
  const refresh = () => {
    setPaused(false);
    void client.invalidateQueries({ predicate: ({ queryKey }) => isOfHome(queryKey[0]) });
  };
  const actions = (
    <>
      {document.fullscreenEnabled && (
        <IconButton
          icon={wall ? 'close' : 'expand'}
          label={t(wall ? 'home.wall_leave' : 'home.wall')}
          onClick={() => void (wall ? document.exitFullscreen() : box.current?.requestFullscreen())}
        />
      )}
      <IconButton
        icon={paused ? 'play' : 'pause'}
        label={t(paused ? 'home.resume' : 'home.pause')}
        onClick={() => (paused ? refresh() : setPaused(true))}
      />
      {!wall && (
        <Button icon="layout" aria-pressed={arranging} onClick={() => setArranging(!arranging)}>
          {t('board.arrange')}
        </Button>
      )}
    </>
  );
  const extra = paused ? (
    <span className="tag tag-warn">{t('home.paused')}</span>
  ) : (
    strip.data && <AsOf at={strip.data.as_of} staleAfterSeconds={90} />
  );
  const cards: Partial<Record<CardId, ReactNode>> = {
    problems: (
      <Suspense fallback={<div className="card" style={{ minHeight: LINE_HEIGHT }} />}>
        <ProblemsCard />
      </Suspense>
    ),
    outages: (
      <RenderWhenVisible height={LINE_HEIGHT}>
        <NightCard />
      </RenderWhenVisible>
    ),
    tiles: (
      <Suspense fallback={<div className="card" style={{ minHeight: 240 }} />}>
        <TilesCard />
      </Suspense>
    ),
    ranking: (
      <RenderWhenVisible height={380}>
        <RankingCard />
      </RenderWhenVisible>
    ),
    ...(data && attentionTotal(data) === 0 ? {} : { attention: <AttentionCard answer={attended} /> }),
    networks: <OnlineCard answer={strip} kind="networks" title={t('card.networks')} metric="routers" to="/networks" />,
    aps: <OnlineCard answer={strip} kind="aps" title={t('card.aps')} metric="aps" to="/network/aps" />,
    ...(mayJobs ? { jobs: <LatestJobs /> } : {}),
    ...(mayMoney ? { income: <IncomeFigure answer={strip} /> } : {}),
    ...(mayStatistics ? statisticsCards(strip, sums, wireless) : {}),
  };
  for (const id of absent) delete cards[id];
  return (
    <div ref={box} className="home">
      <Page title={t('home.index')} extra={extra} actions={actions}>
        <Strip answer={strip} />
        <Board arrangement={arrangement} arranging={arranging} cards={cards} done={() => setArranging(false)} />
        <AbsentLine absent={absent} known={{ income: mayMoney && !!strip.data, sums: mayStatistics && !!sums.data }} />
        <Suspense>{mayStatistics && data && <BusinessNotice />}</Suspense>
      </Page>
    </div>
  );
}

const useWall = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('fullscreenchange', listener);
      return () => document.removeEventListener('fullscreenchange', listener);
    },
    () => document.fullscreenElement !== null,
  );

function statisticsCards(
  strip: Answer<StripData>,
  sums: Answer<Data<'/api/v3/user_stat/complex'>>,
  wireless: Answer<Data<'/api/v3/user_stat/ap_complex'>>,
): Partial<Record<CardId, ReactNode>> {
  return {
    online: <OnlineFigure answer={strip} />,
    auth: <AuthFigure answer={strip} />,
    intercept: <InterceptFigure answer={sums} />,
    alarms: <AlarmsCard answer={sums} counted={strip.data?.alarms?.by_level} />,
    flow: <FlowCard answer={sums} />,
    bands: <BandsCard answer={wireless} hasAps={strip.data?.aps.total !== 0} />,
    wireless: <WirelessCard answer={wireless} />,
    trend: <TrendCard />,
    flow_model: (
      <RenderWhenVisible height={MODEL_HEIGHT}>
        <FlowModelCard />
      </RenderWhenVisible>
    ),
    user_model: (
      <RenderWhenVisible height={MODEL_HEIGHT}>
        <UserModelCard />
      </RenderWhenVisible>
    ),
  };
}
