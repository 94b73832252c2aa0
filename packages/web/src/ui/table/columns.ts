import type { ReactNode } from 'react';
import type { FieldRule } from '../field.tsx';

export interface FileColumn<Row> {
  title: string;
  text?: (row: Row) => string | number | null;
}

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Sort name of the server; absent: not sortable. */
  sort?: string;
  right?: boolean;
  /** Hidden by default. */
  extra?: boolean;
  width?: number;
  /** Exported value; absent: not exported. */
  text?: (row: Row) => string | number | null;
  unit?: string;
  files?: readonly FileColumn<Row>[];
  /** Always exported, even while hidden, because it identifies the row. */
  inFiles?: boolean;
  edit?: {
    value: (row: Row) => string;
    rule: FieldRule;
    save: (row: Row, value: string) => Promise<unknown>;
    allowed: boolean;
  };
}

/** Filter with a closed list of values, sent in the field of its name unless `input` maps it. */
export interface Filter {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** An unknown value in the address is reported and lists nothing; otherwise it is ignored. */
  strict?: boolean;
  input?: (value: string) => object;
  /** Label of the unset filter, if that does not mean "all". */
  unset?: string;
  /** The screen shows a control of its own for it. */
  hidden?: boolean;
}

export interface ListFile {
  label: string;
  /** Requests a one-time download address for the list's filters and order. */
  address: (input: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface Selection<Row> {
  count: number;
  keys: readonly string[];
  /** Filters of the list if all results are selected. */
  query: Readonly<Record<string, unknown>> | null;
  /** Returns the rows; reads the remaining pages if all results are selected. */
  rows: () => Promise<Row[]>;
}

export interface BatchAct<Row> {
  label: string;
  danger?: boolean;
  why?: string | undefined;
  act: (selection: Selection<Row>, done: () => void) => void;
}
