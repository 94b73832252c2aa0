import { Link as Base } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { leadsToPlanned } from '../app/routes.ts';

interface Props {
  to: string;
  search?: Readonly<Record<string, string | undefined>>;
  className?: string;
  children: ReactNode;
  title?: string;
  current?: boolean;
  /** Links to an unbuilt screen too, and marks it. */
  menu?: boolean;
}

/** Prefetches on hover. Plain text for an unbuilt screen, except in menus. */
export function Link({ to, search, className, children, title, current, menu }: Props) {
  if (!menu && leadsToPlanned(to)) {
    return (
      <span className={className} title={title}>
        {children}
      </span>
    );
  }
  return (
    <Base
      to={to as never}
      search={(search ?? {}) as never}
      className={className}
      title={title}
      activeProps={{}}
      // otherwise /networks is current on /networks/online_users
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
      data-status={undefined}
    >
      {children}
    </Base>
  );
}
