import type { MouseEvent } from 'react';
import { t } from '../../app/i18n.ts';

export function RowBox({
  of: key,
  selected,
  choose,
}: {
  of: string;
  selected: ReadonlySet<string>;
  choose: (next: ReadonlySet<string>) => void;
}) {
  return (
    <input
      type="checkbox"
      className="box"
      aria-label={t('table.select_row')}
      checked={selected.has(key)}
      onChange={() => {
        const next = new Set(selected);
        if (!next.delete(key)) next.add(key);
        choose(next);
      }}
    />
  );
}

/** Returns whether a control of the row was hit, which must not open the row. */
export function onControl(event: MouseEvent): boolean {
  return (event.target as Element).closest('a,button,input,select,label,[role=menu],dialog') !== null;
}
