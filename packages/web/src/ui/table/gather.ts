/** Rows per call when every result is read. */
const BATCH = 200;

/** A page of a list, by number and size. */
export type ReadPage<Row> = (page: number, limit: number) => Promise<{ list: readonly Row[]; total: number }>;

/**
 * Reads every result of a query, page after page in order. A row that moves between two pages while this runs is kept
 * once, by its key.
 */
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
