import type { ReactNode } from 'react';
import type { FieldRule } from '../field.tsx';

/** One column of a file; without a text it is left out. */
export interface FileColumn<Row> {
  title: string;
  text?: (row: Row) => string | number | null;
}

/** One column of a table. */
export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** The server's name for sorting by it; absent: not sortable. */
  sort?: string;
  /** Numbers stand on the right. */
  right?: boolean;
  /** Hidden until chosen. */
  extra?: boolean;
  width?: number;
  /** The value in an export; absent: the column is left out of it. */
  text?: (row: Row) => string | number | null;
  /** The unit of an exported number; it stands in the head. */
  unit?: string;
  /** What an export has instead, where the cell has several values. */
  files?: readonly FileColumn<Row>[];
  /** In every export, also while the column is hidden: it says which row this is. */
  inFiles?: boolean;
  /** Edits the value in its row, with confirm or cancel. */
  edit?: {
    value: (row: Row) => string;
    rule: FieldRule;
    save: (row: Row, value: string) => Promise<unknown>;
    allowed: boolean;
  };
}

/** A filter with a closed list of values; its name is the field of the list call, unless `input` says what it asks. */
export interface Filter {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** A value of the address that is none of these is said, and nothing is listed; else it is as if it were not there. */
  strict?: boolean;
  input?: (value: string) => object;
  /** What it says while nothing is chosen, where that is not everything. */
  unset?: string;
}

/** A file of the list that the server writes. */
export interface ListFile {
  label: string;
  /** Where it is to be had, for the filters and the order of the list; the address works once. */
  address: (input: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** What a person selected: some rows, or every result of the current query. */
export interface Selection<Row> {
  count: number;
  /** Keys of the selected rows; empty when all results are. */
  keys: readonly string[];
  /** Set when every result is selected: what the list is narrowed by, for a call that takes the list and not its rows. */
  query: Readonly<Record<string, unknown>> | null;
  /** The rows themselves; reads the remaining pages when all results are selected. */
  rows: () => Promise<Row[]>;
}

/** An act on the selection. */
export interface BatchAct<Row> {
  label: string;
  danger?: boolean;
  /** Why it cannot be used by this person. */
  why?: string | undefined;
  act: (selection: Selection<Row>, done: () => void) => void;
}
