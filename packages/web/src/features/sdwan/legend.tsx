import { t } from '../../app/i18n.ts';
import { type Line, lines } from './line.ts';

export function Legend({ shown }: { shown: ReadonlySet<Line> }) {
  return (
    <div className="sdwan-legend small dim">
      {lines
        .filter((line) => shown.has(line))
        .map((line) => (
          <span key={line} className="sdwan-key">
            <svg width="34" height="8" className={`sdwan-link sdwan-link-${line}`} aria-hidden="true">
              <path d="M0 4h34" />
            </svg>
            {t(`sdwan.line_${line}`)}
          </span>
        ))}
      <span>{t('sdwan.legend')}</span>
    </div>
  );
}
