import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Data, Input, ListPath, Row as RowOf } from '../../app/api.ts';
import { isMissing } from '../../app/api-error.ts';
import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed, NoHits, NoSuchFilter } from '../empty.tsx';
import { date } from '../format.ts';
import { notify, notifyError } from '../toast.tsx';
import { Cards, useView, ViewSwitch } from './cards.tsx';
import type { BatchAct, Column, Filter, ListFile, Selection } from './columns.ts';
import { download, fetchFile, toCsv } from './csv.ts';
import { fileColumns } from './file-columns.ts';
import { fileFormats } from './files.ts';
import { gatherAll } from './gather.ts';
import { useListState } from './list-state.ts';
import { Pager } from './pager.tsx';
import { roles } from './roles.ts';
import { TableBody } from './table-body.tsx';
import { TableHead } from './table-head.tsx';
import { Toolbar } from './toolbar.tsx';
import { useColumns } from './use-columns.ts';
import './table.css';

interface Props<P extends ListPath> {
  path: P;
  /** Fixed by the page, such as its network. */
  fixed?: Partial<Input<P>>;
  name: string;
  title: string;
  noHits?: ReactNode;
  columns: readonly Column<RowOf<P>>[];
  rowKey: (row: RowOf<P>) => string;
  filters?: readonly Filter[];
  extra?: ReactNode;
  /** Written by the server, instead of the page's export. */
  files?: readonly ListFile[];
  searchHint?: string;
  order?: { sort: string; order: 'asc' | 'desc' };
  batch?: readonly BatchAct<RowOf<P>>[];
  actions?: (row: RowOf<P>) => ReactNode;
  onOpen?: (row: RowOf<P>) => void;
  /** Last row on screen and in files. */
  sum?: (answer: Data<P>) => RowOf<P>;
  /** If the list never had a row. */
  never: ReactNode;
  toolbar?: ReactNode;
  card?: (row: RowOf<P>) => ReactNode;
}

const noFilters: readonly Filter[] = [];

export function DataTable<P extends ListPath>(props: Props<P>) {
  const { path, fixed, columns, rowKey } = props;
  const filters = props.filters ?? noFilters;
  const sorts = useMemo(() => columns.flatMap((column) => column.sort ?? []), [columns]);
  const list = useListState(filters, sorts);
  const { toPage } = list;
  const { filters: chosen, odd, ...paging } = list.state;
  const narrowing = { ...fixed, ...askedBy(filters, chosen) };
  const input = { ...narrowing, ...paging } as unknown as Input<P>;
  const { data, error, isPlaceholderData, refetch } = useRead(path, input, {
    keepPrevious: true,
    enabled: odd.length === 0,
  });
  const answer = data as { list: RowOf<P>[]; total: number } | undefined;
  const shown = useColumns(props.name, columns);
  const [view, toView] = useView(props.card !== undefined);
  // After paging, a selected row may be in no cached answer.
  const [picked, setPicked] = useState<ReadonlyMap<string, RowOf<P>>>(new Map());
  const [everything, setEverything] = useState(false);
  const query = JSON.stringify([narrowing, list.state.keyword]);
  const [selectionOf, setSelectionOf] = useState(query);
  if (selectionOf !== query) {
    setSelectionOf(query);
    setPicked(new Map());
    setEverything(false);
  }
  const rows = answer?.list ?? [];
  const total = answer?.total ?? 0;
  const selected: ReadonlySet<string> = new Set(picked.keys());
  const rowsOf = (keys: ReadonlySet<string>) =>
    new Map([...picked, ...rows.map((row) => [rowKey(row), row] as const)].filter(([key]) => keys.has(key)));
  const choose = (next: ReadonlySet<string>) => {
    setPicked(rowsOf(next));
    setEverything(false);
  };
  const readAll = (progress?: (done: number, all: number) => void) =>
    gatherAll<RowOf<P>>(
      async (page, limit) => {
        const one = await call(path, { ...narrowing, ...paging, page, limit } as unknown as Input<P>);
        return one as unknown as { list: RowOf<P>[]; total: number };
      },
      rowKey,
      progress,
    );
  const selection: Selection<RowOf<P>> = {
    count: everything ? total : selected.size,
    keys: everything ? [] : [...selected],
    query: everything ? { ...narrowing, ...(list.state.keyword && { keyword: list.state.keyword }) } : null,
    rows: async () => (everything ? readAll() : [...rowsOf(selected).values()]),
  };
  const exportRows = async (format: 'csv' | 'xlsx') => {
    try {
      const all = await readAll();
      const name = `${props.name}-${date(new Date())}.${format}`;
      const inFile = fileColumns(columns, shown.visible);
      if (props.sum && data) all.push(props.sum(data));
      if (format === 'csv') download(name, toCsv(inFile, all), 'text/csv;charset=utf-8');
      else {
        const { toXlsx } = await import('./xlsx.ts');
        const address = URL.createObjectURL(toXlsx(inFile, all));
        fetchFile(address, name);
        URL.revokeObjectURL(address);
      }
      notify('ok', t('table.export_done', { n: all.length }));
    } catch (problem) {
      notifyError(problem);
    }
  };
  const getFile = async (file: ListFile) => {
    try {
      const { keyword, sort, order } = list.state;
      fetchFile(await file.address({ ...narrowing, ...(keyword && { keyword }), ...(sort && { sort, order }) }));
    } catch (problem) {
      notifyError(problem);
    }
  };
  const beyond = answer !== undefined && !isPlaceholderData && rows.length === 0 && total > 0;
  const last = Math.max(1, Math.ceil(total / list.state.limit));
  useEffect(() => {
    // Beyond the end (rows deleted, or a typed number).
    if (beyond) toPage(last);
  }, [beyond, last, toPage]);
  const never = answer !== undefined && total === 0 && !list.narrowed;
  if (odd.length > 0 || (error && !answer && isMissing(error) && Object.keys(chosen).length > 0)) {
    const names = odd.length > 0 ? odd : filters.filter(({ name }) => chosen[name]).map(({ label }) => label);
    return (
      <section className="card">
        <NoSuchFilter names={names} clear={list.clear} />
      </section>
    );
  }
  if (error && !answer)
    return (
      <section className="card">
        <Failed error={error} retry={() => void refetch()} />
      </section>
    );
  if (never) return <section className="card">{props.never}</section>;
  return (
    <section className="card table-card" aria-label={props.title}>
      <Toolbar
        list={list}
        filters={filters}
        searchHint={props.searchHint}
        columns={shown}
        total={answer ? total : null}
        files={
          props.files?.map((file) => ({ label: file.label, act: () => getFile(file) })) ??
          (['csv', 'xlsx'] as const).map((format) => ({
            label: fileFormats[format],
            act: () => exportRows(format),
          }))
        }
        trailing={props.extra}
        selection={selection}
        batch={props.batch ?? []}
        clearSelection={() => choose(new Set())}
        selectEverything={
          everything || total <= selected.size || selected.size < rows.length ? undefined : () => setEverything(true)
        }
        everything={everything}
        extra={
          <>
            {props.toolbar}
            {props.card && <ViewSwitch view={view} change={toView} />}
          </>
        }
      />
      <div className="table-scroll" data-busy={isPlaceholderData || undefined}>
        {view === 'cards' && props.card ? (
          <Cards
            rows={answer ? rows : null}
            rowKey={rowKey}
            card={props.card}
            actions={props.actions}
            onOpen={props.onOpen}
            selectable={(props.batch?.length ?? 0) > 0}
            selected={everything ? new Set(rows.map(rowKey)) : selected}
            choose={choose}
          />
        ) : (
          <table role={roles.table} className="table">
            <TableHead
              columns={shown.visible}
              list={list}
              order={props.order}
              actions={props.actions !== undefined}
              selectable={(props.batch?.length ?? 0) > 0}
              pageKeys={rows.map(rowKey)}
              selected={everything ? new Set(rows.map(rowKey)) : selected}
              choose={choose}
            />
            <TableBody
              rows={answer ? rows : null}
              sum={data && rows.length > 0 ? props.sum?.(data) : undefined}
              limit={list.state.limit}
              columns={shown.visible}
              rowKey={rowKey}
              actions={props.actions}
              onOpen={props.onOpen}
              selectable={(props.batch?.length ?? 0) > 0}
              selected={everything ? new Set(rows.map(rowKey)) : selected}
              choose={choose}
            />
          </table>
        )}
        {answer && total === 0 && <NoHits clear={list.clear}>{props.noHits}</NoHits>}
      </div>
      {total > 0 && <Pager list={list} total={total} />}
    </section>
  );
}

function askedBy(filters: readonly Filter[], chosen: Readonly<Record<string, string>>): object {
  return Object.assign(
    {},
    ...filters.map(({ name, input }) => {
      const value = chosen[name];
      if (value === undefined) return {};
      return input ? input(value) : { [name]: value };
    }),
  );
}
