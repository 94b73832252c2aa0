import { t } from '../../app/i18n.ts';
import { Icon } from '../icon.tsx';
import type { Column } from './columns.ts';
import type { useListState } from './list-state.ts';
import { roles } from './roles.ts';

export function TableHead<Row>(props: {
  columns: readonly Column<Row>[];
  list: ReturnType<typeof useListState>;
  order: { sort: string; order: 'asc' | 'desc' } | undefined;
  actions: boolean;
  selectable: boolean;
  pageKeys: readonly string[];
  selected: ReadonlySet<string>;
  choose: (next: ReadonlySet<string>) => void;
}) {
  const { state } = props.list;
  const order = state.sort === undefined ? props.order : { sort: state.sort, order: state.order };
  const here = props.pageKeys.filter((key) => props.selected.has(key)).length;
  return (
    <thead role={roles.rows}>
      <tr role={roles.row}>
        {props.selectable && (
          <th role={roles.column} className="cell-box">
            <input
              type="checkbox"
              className="box"
              aria-label={t('table.select_page')}
              checked={here > 0 && here === props.pageKeys.length}
              ref={(box) => {
                if (box) box.indeterminate = here > 0 && here < props.pageKeys.length;
              }}
              onChange={(event) => {
                const next = new Set(props.selected);
                for (const key of props.pageKeys) {
                  if (event.target.checked) next.add(key);
                  else next.delete(key);
                }
                props.choose(next);
              }}
            />
          </th>
        )}
        {props.columns.map((column) => {
          const sorted = column.sort !== undefined && order?.sort === column.sort ? order.order : undefined;
          return (
            <th
              role={roles.column}
              key={column.key}
              className={column.right ? 'right' : undefined}
              style={column.width ? { width: column.width } : undefined}
              aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
            >
              {column.sort ? (
                <button
                  type="button"
                  className="sort"
                  data-sorted={sorted}
                  title={t('table.sort_by', { name: column.title })}
                  onClick={() => props.list.toSort(column.sort ?? '')}
                >
                  {column.title}
                  <Icon name="chevron_down" size={12} />
                </button>
              ) : (
                column.title
              )}
            </th>
          );
        })}
        {props.actions && (
          <th role={roles.column} className="cell-acts">
            <span className="sr">{t('table.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
