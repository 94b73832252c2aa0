export interface Column {
  title: string;
  /** Width in relation to the other columns. */
  share: number;
  align?: 'right';
}

/** Content that HTML and PDF show alike. */
export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  | { kind: 'table'; columns: readonly Column[]; rows: readonly (readonly string[])[] };
