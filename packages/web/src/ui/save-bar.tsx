import type { ReactNode } from 'react';
import { t } from '../app/i18n.ts';
import { RelativeTime } from './time.tsx';
import './save-bar.css';

/** `children` are the buttons. */
export function SaveBar(props: {
  changed: boolean;
  overtaken?: boolean | undefined;
  wrong?: number;
  /** Texts for changed and never-saved settings; default: those of pushed settings. */
  labels?: { changed: string; never: string };
  saved: { updated_at: string | null; updated_by: string | null };
  children: ReactNode;
}) {
  const { updated_at, updated_by } = props.saved;
  return (
    <div className="save-bar" data-changed={props.changed}>
      <span className="quiet small">
        {props.wrong ? (
          <strong className="save-bar-wrong" role="alert">
            {t('wireless.wrong', { n: props.wrong })}
          </strong>
        ) : props.changed && props.overtaken ? (
          <strong role="status">{t('wireless.overtaken')}</strong>
        ) : props.changed ? (
          <strong>{props.labels?.changed ?? t('wireless.changed')}</strong>
        ) : updated_at ? (
          <>
            {updated_by} · <RelativeTime at={updated_at} />
          </>
        ) : (
          (props.labels?.never ?? t('wireless.never_saved'))
        )}
      </span>
      {props.children && <span className="row">{props.children}</span>}
    </div>
  );
}
