import { useState } from 'react';
import { t } from '../app/i18n.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { PlainPager } from './plain-pager.tsx';
import { QrCode } from './qr-code.tsx';
import { download } from './table/csv.ts';
import './code-sheet.css';

/** More are too slow to draw. */
const perSheet = 300;

interface Props {
  title: string;
  name: string;
  codes: readonly string[];
  terms: string;
  place?: string | undefined;
  how?: string;
  used?: ReadonlySet<string>;
  /** The console shows them again. */
  kept?: boolean;
  onClose: () => void;
}

export function CodeSheet(props: Props) {
  const { title, name, codes, terms, place, how, used, kept: shownAgain = false, onClose } = props;
  const [page, setPage] = useState(1);
  const [kept, setKept] = useState(shownAgain);
  const [asked, setAsked] = useState(false);
  const save = () => {
    download(`${name}.csv`, ['code', ...codes].join('\r\n'), 'text/csv;charset=utf-8');
    setKept(true);
  };
  const print = () => {
    window.print();
    setKept(true);
  };
  const isWarned = asked && !kept;
  return (
    <Dialog
      wide
      title={title}
      onClose={kept ? onClose : () => setAsked(true)}
      foot={
        <>
          {isWarned && (
            <Button kind="danger" onClick={onClose}>
              {t('codes.discard')}
            </Button>
          )}
          <Button icon="download" onClick={save}>
            {t('codes.export')}
          </Button>
          <Button kind="primary" icon="printer" onClick={print}>
            {t('codes.print')}
          </Button>
        </>
      }
    >
      {!shownAgain && <p className="small">{t('codes.once')}</p>}
      {isWarned && (
        <p className="field-error" role="alert">
          {t('codes.not_kept')}
        </p>
      )}
      <PlainPager page={page} pages={Math.ceil(codes.length / perSheet)} onChange={setPage} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list of them scrolls by keyboard too */}
      <ul className="code-sheet" tabIndex={0}>
        {codes.slice((page - 1) * perSheet, page * perSheet).map((code) => (
          <li key={code} className="code-slip">
            <QrCode text={code} label={t('codes.picture', { code })} size={88} />
            <span>
              {place && <span>{place}</span>}
              <strong className="mono">{code}</strong>
              {used?.has(code) && <span className="small">{t('codes.used')}</span>}
              <span className="small">{terms}</span>
              {how && <span className="small">{how}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
