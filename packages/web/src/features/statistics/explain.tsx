import { useEffect, useState } from 'react';
import { loadTexts, t } from '../../app/i18n.ts';
import { HelpText, Until } from '../../ui/help-text.tsx';

/** Numbers of the home page, defined in docs/metrics with the same text. */
export const metrics = [
  'strip',
  'tiles',
  'problems',
  'night',
  'ranking',
  'attention',
  'routers',
  'aps',
  'bands',
  'income',
  'alarms',
  'online',
  'auth',
  'intercept',
  'flow',
  'trend',
  'wireless',
  'stage',
  'app_stage',
  'auth_type',
  'client_type',
  'app_times',
  'user_label',
  'client_time_block',
  'user_time',
  'terminal_type',
  'terminal_brand',
] as const;
export type Metric = (typeof metrics)[number];

export function Explain({ metric, name, asOf }: { metric: Metric; name: string; asOf?: string | null | undefined }) {
  return (
    <HelpText label={t('explain.title', { name })}>
      <Words metric={metric} name={name} asOf={asOf ?? null} />
    </HelpText>
  );
}

/** Loaded on demand: long and rarely read. */
function Words({ metric, name, asOf }: { metric: Metric; name: string; asOf: string | null }) {
  const [state, setState] = useState<'coming' | 'here' | 'failed'>('coming');
  useEffect(() => {
    loadTexts('explain').then(
      () => setState('here'),
      () => setState('failed'),
    );
  }, []);
  return (
    <div className="about" aria-busy={state === 'coming' || undefined}>
      <h3>{name}</h3>
      {state === 'failed' && <p>{t('error.request')}</p>}
      {state === 'here' && (
        <>
          <p>{t(`explain.${metric}.what`)}</p>
          <dl className="facts">
            <dt>{t('explain.source')}</dt>
            <dd>{t(`explain.${metric}.source`)}</dd>
            {asOf && <Until label={t('explain.as_of')} at={asOf} />}
          </dl>
        </>
      )}
    </div>
  );
}
