import type { ReactNode } from 'react';

export function Page({
  title,
  crumb,
  extra,
  actions,
  children,
}: {
  title: string;
  /** Above the title. */
  crumb?: ReactNode;
  extra?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="page">
      <div>
        {crumb}
        <div className="page-head">
          <div className="page-title">
            <h1 className="ellipsis">{title}</h1>
            {extra}
          </div>
          {actions && <div className="row">{actions}</div>}
        </div>
      </div>
      {children}
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
  className,
  flush,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  flush?: boolean;
}) {
  return (
    <section className={className ? `card ${className}` : 'card'}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      <div className={flush ? undefined : title === undefined ? 'card-pad' : 'card-body'}>{children}</div>
    </section>
  );
}
