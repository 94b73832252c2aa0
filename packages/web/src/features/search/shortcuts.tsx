import { t } from '../../app/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import './search.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const anywhere: [string[], string][] = [
    [[isMac ? '⌘ K' : 'Ctrl K'], t('keys.search')],
    [['/'], t('keys.list_search')],
    [['?'], t('keys.help')],
    [['Esc'], t('keys.close')],
  ];
  const inSearch: [string[], string][] = [
    [['↑', '↓'], t('keys.move')],
    [['Enter'], t('keys.open')],
  ];
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <Keys title={t('keys.anywhere')} rows={anywhere} />
      <Keys title={t('keys.in_search')} rows={inSearch} />
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: [keys: string[], does: string][] }) {
  return (
    <section>
      <h3 className="keys-title">{title}</h3>
      <dl className="keys">
        {rows.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
