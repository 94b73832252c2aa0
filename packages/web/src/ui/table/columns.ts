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
  /** Absent: not sortable. */
  sort?: string;
  right?: boolean;
  /** Hidden by default. */
  extra?: boolean;
  /** Not on phones, where a row is a card. */
  wide?: boolean;
  /** The card's title on phones. */
  lead?: boolean;
  /** Follows it there. */
  early?: boolean;
  width?: number;
  /** Absent: not exported. */
  text?: (row: Row) => string | number | null;
  unit?: string;
  files?: readonly FileColumn<Row>[];
  /** Exported even while hidden: identifies the row. */
  inFiles?: boolean;
  edit?: {
    value: (row: Row) => string;
    rule: FieldRule;
    save: (row: Row, value: string) => Promise<unknown>;
    allowed: boolean;
  };
}

/** Closed list of values, sent in the field of its name unless `input` maps it. */
export interface Filter {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Reports an unknown value and lists nothing; otherwise ignored. */
  strict?: boolean;
  input?: (value: string) => object;
  /** Label if unset does not mean "all". */
  unset?: string;
  /** The screen has its own control. */
  hidden?: boolean;
}

export interface ListFile {
  label: string;
  /** Requests a one-time address for the list's filters and order. */
  address: (input: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface Selection<Row> {
  count: number;
  keys: readonly string[];
  query: Readonly<Record<string, unknown>> | null;
  /** Reads the remaining pages if all results are selected. */
  rows: () => Promise<Row[]>;
}

export interface BatchAct<Row> {
  label: string;
  danger?: boolean;
  why?: string | undefined;
  act: (selection: Selection<Row>, done: () => void) => void;
}
