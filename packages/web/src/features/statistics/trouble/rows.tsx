import type { ReactNode } from 'react';
import { roles } from '../../../ui/table/roles.ts';
import './trouble.css';

/** A table whose rows take two lines in a narrow card and on phones. */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="rows-box">
      <table role={roles.table} className="plain-table trouble-table" aria-label={label}>
        {children}
      </table>
    </div>
  );
}
