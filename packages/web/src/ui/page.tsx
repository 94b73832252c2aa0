import type { ReactNode } from 'react';

export function Page({
  title,
  beside,
  acts,
  children,
}: {
  title: string;
  beside?: ReactNode;
  acts?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="page">
      <div className="page-head">
        <div className="page-title">
          <h1 className="ellipsis">{title}</h1>
          {beside}
        </div>
        {acts && <div className="row">{acts}</div>}
      </div>
      {children}
    </div>
  );
}

export function Card({
  title,
  acts,
  children,
  className,
  flush,
}: {
  title?: ReactNode;
  acts?: ReactNode;
  children: ReactNode;
  className?: string;
  flush?: boolean;
}) {
  return (
    <section className={className ? `card ${className}` : 'card'}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {acts}
        </div>
      )}
      <div className={flush ? undefined : title === undefined ? 'card-pad' : 'card-body'}>{children}</div>
    </section>
  );
}
