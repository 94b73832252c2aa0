import type { ReactNode } from 'react';
import { t } from '../../app/i18n.ts';
import { useSearch } from '../../app/search.ts';
import { IconButton } from '../button.tsx';
import { Skeleton } from '../skeleton.tsx';
import { onControl, RowBox } from './row-box.tsx';

export type View = 'table' | 'cards';

export function useView(cards: boolean): [View, (view: View) => void] {
  const [search, change] = useSearch();
  return [
    cards && search.look === 'cards' ? 'cards' : 'table',
    (view) => change({ look: view === 'cards' ? view : undefined }),
  ];
}

export function ViewSwitch({ view, change }: { view: View; change: (view: View) => void }) {
  const other = view === 'table' ? 'cards' : 'table';
  return (
    <IconButton
      icon={other === 'cards' ? 'layout' : 'list'}
      label={t(other === 'cards' ? 'table.as_cards' : 'table.as_table')}
      onClick={() => change(other)}
    />
  );
}

export function Cards<Row>(props: {
  rows: readonly Row[] | null;
  rowKey: (row: Row) => string;
  card: (row: Row) => ReactNode;
  actions?: ((row: Row) => ReactNode) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  selectable: boolean;
  selected: ReadonlySet<string>;
  choose: (next: ReadonlySet<string>) => void;
}) {
  const { rows, onOpen } = props;
  if (!rows)
    return (
      <div className="cards" aria-busy="true">
        {Array.from({ length: 6 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike
          <Skeleton key={index} height={120} />
        ))}
      </div>
    );
  return (
    <ul className="cards">
      {rows.map((row) => {
        const key = props.rowKey(row);
        const chosen = props.selected.has(key);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the name inside is a link for the keyboard
          <li
            key={key}
            className="list-card"
            data-selected={chosen || undefined}
            data-open={onOpen ? true : undefined}
            onClick={(event) => {
              if (!onControl(event)) onOpen?.(row);
            }}
          >
            <div className="list-card-head">
              {props.selectable && <RowBox of={key} selected={props.selected} choose={props.choose} />}
              {props.actions?.(row)}
            </div>
            {props.card(row)}
          </li>
        );
      })}
    </ul>
  );
}
