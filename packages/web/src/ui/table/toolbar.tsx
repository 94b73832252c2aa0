import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n.ts';
import { Button } from '../button.tsx';
import { CheckField, SelectField } from '../field.tsx';
import { Icon } from '../icon.tsx';
import { Menu } from '../menu.tsx';
import { Popup } from '../popup.tsx';
import { REST_MS } from '../use-debounced.ts';
import type { BatchAct, Filter, Selection } from './columns.ts';
import type { useListState } from './list-state.ts';
import type { ShownColumns } from './use-columns.ts';

export function Toolbar<Row>(props: {
  list: ListOf;
  filters: readonly Filter[];
  searchHint: string | undefined;
  columns: ShownColumns<Row>;
  total: number | null;
  /** Busy until its promise settles. */
  files: readonly { label: string; act: () => Promise<void> }[];
  trailing: ReactNode;
  selection: Selection<Row>;
  batch: readonly BatchAct<Row>[];
  clearSelection: () => void;
  selectEverything: (() => void) | undefined;
  everything: boolean;
  extra: ReactNode;
}) {
  const { list, selection } = props;
  const [exporting, setExporting] = useState(false);
  const filters = props.filters.filter(({ hidden }) => !hidden);
  const ownRow = filters.length > maxBeside;
  const inRow = filters.length > maxInRow ? firstOfMany : filters.length;
  const search = props.searchHint && (
    <SearchBox hint={props.searchHint} value={list.state.keyword ?? ''} search={list.toKeyword} />
  );
  const narrowing = (
    <>
      {filters.slice(0, inRow).map((filter) => (
        <FilterSelect key={filter.name} filter={filter} list={list} />
      ))}
      {inRow < filters.length && <MoreFilters filters={filters.slice(inRow)} list={list} />}
      {props.trailing}
      {list.narrowed && (
        <Button kind="link" onClick={list.clear}>
          {t('empty.clear')}
        </Button>
      )}
    </>
  );
  return (
    <div className="toolbar">
      <div className="row">
        {search}
        {!ownRow && narrowing}
      </div>
      <div className="row">
        <ColumnChooser columns={props.columns} />
        <Menu
          label={t('table.export')}
          items={props.files.map(({ label, act }) => ({
            label,
            act: () => {
              setExporting(true);
              void act().finally(() => setExporting(false));
            },
          }))}
          target={(trigger) => (
            <Button icon="download" className="toolbar-wide" busy={exporting} {...trigger}>
              {t('table.export')}
            </Button>
          )}
        />
        {!ownRow && props.extra}
      </div>
      {ownRow && (
        <div className="spread toolbar-whole">
          <div className="row">{narrowing}</div>
          <div className="row">{props.extra}</div>
        </div>
      )}
      {selection.count > 0 && (
        <div className="selection">
          <span role="status">
            {props.everything
              ? t('table.all_selected', { n: selection.count })
              : t('table.selected', { n: selection.count })}
          </span>
          {props.selectEverything && (
            <Button kind="link" onClick={props.selectEverything}>
              {t('table.select_all', { n: props.total ?? 0 })}
            </Button>
          )}
          <Button kind="link" onClick={props.clearSelection}>
            {t('table.clear_selection')}
          </Button>
          <div className="row selection-acts">
            {props.batch.map((act) => (
              <Button
                key={act.label}
                why={act.why}
                className={act.danger ? 'btn-bad' : ''}
                onClick={() => act.act(selection, props.clearSelection)}
              >
                {act.label}
              </Button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

/** Filters beside the search, and in a second row; others go into a popup. */
const maxBeside = 3;
const maxInRow = 6;
const firstOfMany = 4;

type ListOf = ReturnType<typeof useListState>;

function FilterSelect({ filter, list }: { filter: Filter; list: ListOf }) {
  return (
    <SelectField
      small
      hideLabel
      label={filter.label}
      value={list.state.filters[filter.name] ?? ''}
      options={[{ value: '', label: filter.unset ?? `${filter.label} · ${t('table.all')}` }, ...filter.options]}
      onChange={(value) => list.toFilter(filter.name, value || undefined)}
    />
  );
}

function MoreFilters({ filters, list }: { filters: readonly Filter[]; list: ListOf }) {
  const chosen = filters.filter(({ name }) => list.state.filters[name]).length;
  const label = chosen > 0 ? t('table.more_filters_on', { n: chosen }) : t('table.more_filters');
  return (
    <Popup
      kind="dialog"
      label={label}
      trigger={(trigger) => (
        <Button icon="sliders" {...trigger}>
          {label}
        </Button>
      )}
    >
      {() => (
        <div className="stack stack-s more-filters">
          {filters.map((filter) => (
            <FilterSelect key={filter.name} filter={filter} list={list} />
          ))}
        </div>
      )}
    </Popup>
  );
}

function SearchBox({ hint, value, search }: { hint: string; value: string; search: (word: string) => void }) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  if (known !== value) {
    setKnown(value);
    setDraft(value);
  }
  useEffect(() => {
    if (draft === value) return;
    const timer = setTimeout(() => search(draft), REST_MS);
    return () => clearTimeout(timer);
  }, [draft, value, search]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const typing = (event.target as Element | null)?.closest?.('input,textarea,select,dialog');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    // before the global search, which takes the key elsewhere
    addEventListener('keydown', focus, true);
    return () => removeEventListener('keydown', focus, true);
  }, []);
  return (
    <div className="input-group search-box">
      <span className="input-before">
        <Icon name="search" size={15} />
      </span>
      <input
        ref={box}
        className="input input-s"
        aria-label={t('table.search')}
        title={t('table.search_key')}
        placeholder={hint}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft('');
        }}
      />
      {draft === '' && <kbd className="key">/</kbd>}
    </div>
  );
}

function ColumnChooser<Row>({ columns }: { columns: ShownColumns<Row> }) {
  return (
    <Popup
      kind="dialog"
      label={t('table.columns')}
      trigger={(trigger) => (
        <Button icon="columns" className="toolbar-wide" {...trigger}>
          {t('table.columns')}
        </Button>
      )}
    >
      {() => (
        <div className="stack stack-s column-list">
          {columns.all.map((column) => (
            <CheckField
              key={column.key}
              checked={columns.isShown(column.key)}
              onChange={() => columns.toggle(column.key)}
            >
              {column.title}
            </CheckField>
          ))}
          <div className="row row-wide">
            <Button kind="link" onClick={columns.reset}>
              {t('table.columns_default')}
            </Button>
            <Button kind="link" onClick={columns.showAll}>
              {t('table.columns_all')}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}
