import type { Ref } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Act, Safety } from './security-overview.ts';

type Item = Safety['items'][number]['key'];

function actFor(item: Item, safety: Safety): Act {
  if (item === 'two_logins') return safety.mobile === null ? 'mobile' : 'email';
  if (item === 'recovery_codes' || item === 'second_factor') return 'totp';
  return item === 'withdrawal' ? 'withdrawal' : 'password';
}

export function ScoreCard(props: { safety: Safety; act: (act: Act | 'renew') => void; head: Ref<HTMLHeadingElement> }) {
  const { safety } = props;
  const level = safety.score >= 80 ? 'high' : safety.score >= 50 ? 'middle' : 'low';
  return (
    <section className="card score" aria-labelledby="score-title">
      <div className="score-sum">
        <h2 id="score-title" ref={props.head} tabIndex={-1}>
          {t('score.title')}
        </h2>
        <p className="score-figure">
          <strong>{safety.score}</strong> <span className="dim">/ 100</span>
        </p>
        <div className="bar score-bar" data-level={level} aria-hidden="true">
          <i style={{ width: `${safety.score}%` }} />
        </div>
        <p className="small quiet">{t(`score.level_${level}`)}</p>
      </div>
      <ul className="score-items">
        {safety.items.map((item) => (
          <li key={item.key} data-met={item.met}>
            <Icon name={item.met ? 'check' : 'circle'} size={16} />
            <div>
              {t(`score.${item.key}`)}
              <span className="sr">{item.met ? t('password.met') : t('password.not_met')}</span>
              {!item.met && <div className="small dim">{t(`score.${item.key}_why`)}</div>}
            </div>
            {item.met ? (
              <span className="dim small">{t('score.has', { n: item.points })}</span>
            ) : (
              <>
                <span className="label">{t('score.adds', { n: item.points })}</span>
                <Button
                  onClick={() =>
                    props.act(
                      item.key === 'recovery_codes' && safety.totp_enabled_at ? 'renew' : actFor(item.key, safety),
                    )
                  }
                  aria-label={t('score.raise', { what: t(`score.${item.key}`) })}
                >
                  {t('score.do')}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
