const BATCH = 200;

export type ReadPage<Row> = (page: number, limit: number) => Promise<{ list: readonly Row[]; total: number }>;

/** Reads pages in order; keeps a row that moved between them once. */
export async function gatherAll<Row>(
  read: ReadPage<Row>,
  keyOf: (row: Row) => string,
  progress: (done: number, total: number) => void = () => {},
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let page = 1; ; page += 1) {
    const { list, total } = await read(page, BATCH);
    for (const row of list) rows.set(keyOf(row), row);
    progress(Math.min(page * BATCH, total), total);
    if (list.length < BATCH || page * BATCH >= total) return [...rows.values()];
  }
}
