import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { RelativeTime } from '../../ui/time.tsx';

/**
 * The foot of settings: how many of them are wrong, or whether they were changed, else who saved them last and when;
 * `children` are its buttons.
 */
export function SaveBar(props: {
  changed: boolean;
  /** Whether somebody else saved these settings after they were read for this draft. */
  overtaken?: boolean | undefined;
  /** Fields that were found wrong, each marked where it stands. */
  wrong?: number;
  /** What it says where something was changed, and where nothing was ever saved; else the words of settings that are pushed. */
  words?: { changed: string; never: string };
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
          <strong>{props.words?.changed ?? t('wireless.changed')}</strong>
        ) : updated_at ? (
          <>
            {updated_by} · <RelativeTime at={updated_at} />
          </>
        ) : (
          (props.words?.never ?? t('wireless.never_saved'))
        )}
      </span>
      {props.children && <span className="row">{props.children}</span>}
    </div>
  );
}
