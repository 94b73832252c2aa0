export const name = '0131-invoices';

export const up = `
create table invoice_title (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('company', 'person')),
  name text not null,
  -- tax_no, address, phone, bank, bank_account, email
  details jsonb not null,
  primary key (account_id, id)
);
select platform.tenant_table('invoice_title');

create table invoice (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  state text not null check (state in ('requested', 'issued', 'refused', 'cancelled')),
  -- fen; negative: a red invoice, which takes a refund out of an issued one
  fen bigint not null,
  original uuid,
  -- as it was at the request
  title jsonb not null,
  remark text not null,
  requested_at timestamptz not null,
  requested_by uuid,
  requester text not null,
  number text,
  issued_on date,
  reason text,
  settled_at timestamptz,
  settler text,
  primary key (account_id, id),
  foreign key (account_id, original) references invoice (account_id, id) on delete cascade,
  check ((fen < 0) = (original is not null)),
  check ((state = 'issued') = (number is not null and issued_on is not null))
);
create index invoice_id on invoice (id);
create index invoice_open on invoice (state, requested_at);
select platform.tenant_table('invoice');

create table invoice_order (
  account_id uuid not null references account on delete cascade,
  invoice_id uuid not null,
  order_no text not null,
  fen bigint not null,
  -- false: the invoice was refused, cancelled or is a red one
  live boolean not null,
  primary key (account_id, invoice_id, order_no),
  foreign key (account_id, invoice_id) references invoice (account_id, id) on delete cascade
);
-- an order is on one invoice
create unique index invoice_order_live on invoice_order (account_id, order_no) where live;
select platform.tenant_table('invoice_order');
revoke delete, truncate on invoice from yunxun_app, yunxun_system;
`;
