import { t } from '../../app/i18n.ts';
import { listed } from '../../ui/refusal.ts';
import type { Tone } from '../../ui/status.tsx';
import { latencyText, lossText } from './labels.tsx';
import type { NetworkDetail } from './one-network.tsx';

export interface Verdict {
  tone: Tone;
  text: string;
}

/** Percent that people notice in calls. */
const lossy = 5;
const maxNames = 3;

type Link = NetworkDetail['links'][number];

const highest = (links: readonly Link[], of: (link: Link) => number | null): Link | undefined =>
  links.filter((link) => of(link) !== null).toSorted((a, b) => of(b)! - of(a)!)[0];

/** The worst comes first. */
export function verdictOf({ network, nodes, links, errors }: NetworkDetail): Verdict {
  const nameOf = (key: string) => nodes.find((node) => node.key === key)?.name ?? key;
  const named = (keys: readonly string[]) => ({
    n: keys.length,
    names:
      keys.length > maxNames
        ? t('sdwan.and_more', { names: listed(keys.slice(0, maxNames).map(nameOf)), n: keys.length - maxNames })
        : listed(keys.map(nameOf)),
  });
  const keysOf = (is: (node: NetworkDetail['nodes'][number]) => boolean) => nodes.filter(is).map(({ key }) => key);
  const pair = ({ from, to }: Link) => ({ from: nameOf(from), to: nameOf(to) });

  if (network.status === 'draft') return { tone: 'none', text: t('sdwan.verdict.draft') };
  if (network.status === 'expired') return { tone: 'bad', text: t('sdwan.verdict.expired') };
  const failed = keysOf(({ status }) => status === 'failed');
  if (failed.length > 0) return { tone: 'bad', text: t('sdwan.verdict.failed', named(failed)) };
  if (network.status === 'deploying') {
    const done = nodes.filter(({ status }) => status !== 'waiting' && status !== 'draft').length;
    return { tone: 'brand', text: t('sdwan.verdict.deploying', { done, all: nodes.length }) };
  }
  const cut = keysOf(({ status }) => status === 'down' || status === 'offline' || status === 'gone');
  if (cut.length > 0) return { tone: 'bad', text: t('sdwan.verdict.cut', named(cut)) };
  const lost = links.filter(({ state }) => state === 'down');
  if (lost[0]) return { tone: 'warn', text: t('sdwan.verdict.lost', { n: lost.length, ...pair(lost[0]) }) };
  if (errors.length > 0) return { tone: 'warn', text: t('sdwan.verdict.wrong', { n: errors.length }) };
  const astray = keysOf(({ detours }) => (detours ?? 0) > 0);
  if (astray.length > 0) return { tone: 'warn', text: t('sdwan.verdict.detours', named(astray)) };
  const worst = highest(links, (link) => link.loss_pct);
  if (worst && worst.loss_pct! >= lossy)
    return { tone: 'warn', text: t('sdwan.verdict.loss', { ...pair(worst), loss: lossText(worst.loss_pct) }) };
  const slowest = highest(links, (link) => link.latency_ms);
  const counts = { n: nodes.length, tunnels: links.length };
  return {
    tone: 'ok',
    text: slowest
      ? t('sdwan.verdict.ok', { ...counts, latency: latencyText(slowest.latency_ms), ...pair(slowest) })
      : t('sdwan.verdict.ok_unmeasured', counts),
  };
}
