import { Link as Base } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { leadsToPlanned } from '../app/routes.ts';

interface Props {
  /** An address of the routes table, parameters filled in. */
  to: string;
  search?: Readonly<Record<string, string | undefined>>;
  className?: string;
  children: ReactNode;
  title?: string;
  current?: boolean;
  /** An entry of a menu: it opens its screen also where that is still to be built, and says so. */
  menu?: boolean;
}

/**
 * A link inside the console; its screen is fetched when the pointer comes near. What would lead to a screen that is still to
 * be built is no link, but in a menu.
 */
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
      // the router would call /networks current on /networks/online_users too
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={current ? 'page' : undefined}
      data-status={undefined}
    >
      {children}
    </Base>
  );
}
