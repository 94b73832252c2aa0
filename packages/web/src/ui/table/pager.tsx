import { t } from '../../app/i18n.ts';
import { IconButton } from '../button.tsx';
import { SelectField } from '../field.tsx';
import { pageSizes, type useListState } from './list-state.ts';

export function Pager({ list, total }: { list: ReturnType<typeof useListState>; total: number }) {
  const { page, limit } = list.state;
  const last = Math.max(1, Math.ceil(total / limit));
  const shown = Math.min(page, last);
  return (
    <nav className="pager" aria-label={t('table.range', { from: 1, to: last, total })}>
      <span className="quiet">
        {t('table.range', { from: (shown - 1) * limit + 1, to: Math.min(shown * limit, total), total })}
      </span>
      <div className="row">
        <SelectField
          small
          hideLabel
          label={t('table.page_size')}
          value={String(limit)}
          options={pageSizes.map((size) => ({ value: String(size), label: t('table.rows', { n: size }) }))}
          onChange={(size) => list.toLimit(Number(size))}
        />
        <IconButton
          icon="chevron_left"
          label={t('table.previous')}
          disabled={page <= 1}
          onClick={() => list.toPage(Math.min(page, last + 1) - 1)}
        />
        {around(page, last).map((each, index) =>
          each === null ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other name
            <span key={`gap-${index}`} className="dim">
              …
            </span>
          ) : (
            <button
              key={each}
              type="button"
              className="btn btn-quiet page-number"
              aria-label={t('table.page', { n: each })}
              aria-current={each === page ? 'page' : undefined}
              onClick={() => list.toPage(each)}
            >
              {each}
            </button>
          ),
        )}
        <IconButton
          icon="chevron_right"
          label={t('table.next')}
          disabled={page >= last}
          onClick={() => list.toPage(page + 1)}
        />
      </div>
    </nav>
  );
}

/** Returns first, last, current and neighbouring pages; null: a gap of two or more. */
export function around(page: number, last: number): (number | null)[] {
  const wanted = new Set([1, last, page - 1, page, page + 1].filter((each) => each >= 1 && each <= last));
  const out: (number | null)[] = [];
  let before = 0;
  for (const each of [...wanted].sort((a, b) => a - b)) {
    if (each - before === 2) out.push(each - 1);
    else if (each - before > 2) out.push(null);
    out.push(each);
    before = each;
  }
  return out;
}
