import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import type { Answer } from '../../ui/answer.tsx';
import { Round } from '../../ui/chart/rings.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count, shortTime } from '../../ui/format.ts';
import { Tag } from '../../ui/status.tsx';
import { levelLooks, levelOf, measuredText, rawText } from './labels.ts';
import { About, Panel } from './panel.tsx';

type Score = Data<'/api/v3/wireless/score'>;
type Part = Score['parts'][number];

export function ScorePanel({ answer }: { answer: Answer<Score> }) {
  return (
    <Panel title={t('radio.score')} what={t('radio_what.score')} answer={answer} className="radio-score" height={268}>
      {(data) =>
        data.score === null ? (
          <Empty icon="wifi" title={t('radio.unknown')} small>
            {t('radio.unknown_body')}
          </Empty>
        ) : (
          <>
            <div className="radio-score-row">
              <ScoreRing points={data.score} />
              <ul className="radio-parts">
                {data.parts.map((part) => (
                  <PartLine key={part.part} part={part} />
                ))}
                {data.missing.map((part) => (
                  <li key={part} className="radio-part">
                    <span className="radio-part-name">
                      {t(`radio_part.${part}`)}
                      <About name={t(`radio_part.${part}`)} what={t(`radio_what.${part}`)} />
                    </span>
                    <span className="radio-part-missing small dim">{t('radio.not_told')}</span>
                  </li>
                ))}
              </ul>
            </div>
            <p className="small dim">
              {t('radio.made_of', {
                aps: count(data.aps),
                radios: count(data.radios),
                from: shortTime(new Date(data.from)),
                to: shortTime(new Date(data.to)),
              })}
            </p>
          </>
        )
      }
    </Panel>
  );
}

function PartLine({ part }: { part: Part }) {
  const name = t(`radio_part.${part.part}`);
  const points = Math.round(part.value);
  return (
    <li className="radio-part">
      <span className="radio-part-name">
        {name}
        <About name={name} what={t(`radio_what.${part.part}`)}>
          <dt>{t('radio.measured')}</dt>
          <dd>{measuredText(part.part, part.measured)}</dd>
          <dt>{t('radio.scale')}</dt>
          <dd>
            {t('radio.scale_text', {
              good: measuredText(part.part, part.good),
              bad: measuredText(part.part, part.bad),
            })}
          </dd>
          <dt>{t('radio.weight')}</dt>
          <dd>{part.weight}</dd>
          <Raw raw={part.raw} />
        </About>
      </span>
      <span className={`radio-bar radio-${levelOf(part.value)}`} aria-hidden="true">
        <span style={{ width: `${part.value}%` }} />
      </span>
      <span className="radio-part-points">{t('radio.part_points', { n: points })}</span>
      <span className="radio-part-measured small dim">{measuredText(part.part, part.measured)}</span>
    </li>
  );
}

function Raw({ raw }: { raw: Part['raw'] }) {
  return raw.map(({ name, value }) => [
    <dt key={name}>{t(`radio_raw.${name}`)}</dt>,
    <dd key={`${name} value`}>{rawText(name, value)}</dd>,
  ]);
}

function ScoreRing({ points }: { points: number }) {
  const level = levelOf(points);
  const word = t(`radio.level_${level}`);
  return (
    <div className={`radio-ring radio-${level}`}>
      <Round share={points / 100} size={132} label={t('radio.score_label', { n: points, level: word })}>
        <text x="56" y="60" textAnchor="middle" className="ring-figure radio-figure">
          {points}
        </text>
        <text x="56" y="76" textAnchor="middle" className="ring-note" fontSize="10">
          {t('radio.out_of')}
        </text>
      </Round>
      <Tag {...levelLooks[level]}>{word}</Tag>
    </div>
  );
}
