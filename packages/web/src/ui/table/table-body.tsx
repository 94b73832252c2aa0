import type { ReactNode } from 'react';
import { Skeleton } from '../skeleton.tsx';
import type { Column } from './columns.ts';
import { EditCell } from './edit-cell.tsx';
import { roles } from './roles.ts';
import { onControl, RowBox } from './row-box.tsx';

export function TableBody<Row>(props: {
  rows: readonly Row[] | null;
  sum?: Row | undefined;
  limit: number;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  actions?: ((row: Row) => ReactNode) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  selectable: boolean;
  selected: ReadonlySet<string>;
  choose: (next: ReadonlySet<string>) => void;
}) {
  const { columns, onOpen } = props;
  if (!props.rows) {
    return (
      <tbody role={roles.rows} aria-busy="true">
        {Array.from({ length: Math.min(props.limit, 10) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <tr role={roles.row} key={index}>
            {props.selectable && <td role={roles.cell} />}
            {columns.map((column) => (
              <td role={roles.cell} key={column.key}>
                <Skeleton width={column.right ? 40 : '70%'} />
              </td>
            ))}
            {props.actions && <td role={roles.cell} />}
          </tr>
        ))}
      </tbody>
    );
  }
  return (
    <tbody role={roles.rows}>
      {props.rows.map((row) => {
        const key = props.rowKey(row);
        const chosen = props.selected.has(key);
        return (
          <tr
            role={roles.row}
            key={key}
            data-selected={chosen || undefined}
            data-open={onOpen ? true : undefined}
            // closing what the row opened returns the focus here
            tabIndex={onOpen ? -1 : undefined}
            onClick={(event) => {
              if (onOpen && !onControl(event)) {
                event.currentTarget.focus({ preventScroll: true });
                onOpen(row);
              }
            }}
          >
            {props.selectable && (
              <td role={roles.cell} className="cell-box">
                <RowBox of={key} selected={props.selected} choose={props.choose} />
              </td>
            )}
            {columns.map((column) => (
              <td
                role={roles.cell}
                key={column.key}
                className={column.right ? 'right' : undefined}
                data-label={column.title}
                data-phone={column.wide ? 'no' : column.lead ? 'lead' : column.early ? 'early' : undefined}
              >
                {column.edit?.allowed ? (
                  <EditCell
                    label={column.title}
                    value={column.edit.value(row)}
                    rule={column.edit.rule}
                    save={(value) => column.edit?.save(row, value) ?? Promise.resolve()}
                  >
                    {column.cell(row)}
                  </EditCell>
                ) : (
                  column.cell(row)
                )}
              </td>
            ))}
            {props.actions && (
              <td role={roles.cell} className="cell-acts">
                {props.actions(row)}
              </td>
            )}
          </tr>
        );
      })}
      {props.sum !== undefined && <SumRow row={props.sum} {...props} />}
    </tbody>
  );
}

function SumRow<Row>(props: { row: Row; columns: readonly Column<Row>[]; selectable: boolean; actions?: unknown }) {
  return (
    <tr role={roles.row}>
      {props.selectable && <td role={roles.cell} />}
      {props.columns.map(({ key, title, right, cell }) => (
        <td role={roles.cell} key={key} className={right ? 'right' : undefined} data-label={title}>
          <strong>{cell(props.row)}</strong>
        </td>
      ))}
      {props.actions !== undefined && <td role={roles.cell} />}
    </tr>
  );
}
