import { Link as Base } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface Props {
  /** An address of the routes table, parameters filled in. */
  to: string;
  search?: Readonly<Record<string, string | undefined>>;
  className?: string;
  children: ReactNode;
  title?: string;
  current?: boolean;
}

/** A link inside the console; its screen is fetched when the pointer comes near. */
export function Link({ to, search, className, children, title, current }: Props) {
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
