import type { Data } from '../../app/api.ts';
import './change-table.css';

export type Change = Data<'/api/v3/cloud_backup/diff'>['changes'][number];

export function ChangeTable({ lines, labels: words }: { lines: readonly Change[]; labels?: boolean }) {
  return (
    <table className="plain-table diff">
      <tbody>
        {lines.map((change) => (
          <tr key={change.path}>
            <td className={words ? undefined : 'mono small'}>{change.path}</td>
            <td>
              <del>{show(change.before)}</del> <ins>{show(change.after)}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Splits sections, which would be one long line. */
export function leavesOf(change: Change): Change[] {
  const { before, after, path } = change;
  const whole = before ?? after;
  if (before !== null && before !== undefined && after !== null && after !== undefined) return [change];
  if (typeof whole !== 'object' || whole === null) return [change];
  if (Array.isArray(whole) && whole.every((each) => typeof each !== 'object')) return [change];
  return Object.entries(whole).flatMap(([key, value]) =>
    leavesOf({
      path: path.endsWith('/') || !path ? `${path}${key}` : `${path}/${key}`,
      before: whole === before ? value : null,
      after: whole === after ? value : null,
    }),
  );
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
