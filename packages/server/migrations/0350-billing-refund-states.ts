export const name = '0350-billing-refund-states';

export const up = `
alter table billing_refund
  -- asked of the provider, accepted by it, arrived at the payer, or failed and booked back
  add column state text check (state in ('asked', 'accepted', 'arrived', 'failed')),
  add column failure text not null default '',
  add column failed_at timestamptz,
  -- a later success is booked again
  add column failures int not null default 0,
  add column key uuid;
update billing_refund set state = case when confirmed_at is null then 'asked' else 'arrived' end;
alter table billing_refund alter column state set not null;
create unique index billing_refund_key on billing_refund (account_id, key) where key is not null;
create index billing_refund_open on billing_refund (at) where state in ('asked', 'accepted');
create index billing_refund_listed on billing_refund (account_id, at desc);

drop index ledger_transaction_refund;
create index ledger_transaction_refund on ledger_transaction (account_id, split_part(key, ':', 2))
  where kind in ('refund', 'refund_failed');

-- given back if the refund fails
alter table sdwan_order add column refunded_until timestamptz;

alter table payment_event drop constraint payment_event_type_check;
alter table payment_event add constraint payment_event_type_check check (type in ('paid', 'refunded', 'disputed'));

-- what a provider did, or said, beside what was asked of it
create table payment_exception (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  gwid uuid,
  kind text not null,
  provider text not null,
  order_no text not null,
  refund_no text not null default '',
  fen bigint not null,
  ours text not null default '',
  theirs text not null default '',
  reason text not null default '',
  at timestamptz not null,
  handled_at timestamptz,
  handled_by text,
  remark text,
  primary key (account_id, id),
  foreign key (account_id, order_no) references billing_order (account_id, order_no) on delete cascade
);
create unique index payment_exception_once on payment_exception (account_id, order_no, kind, refund_no, ours, theirs)
  where handled_at is null;
create index payment_exception_listed on payment_exception (account_id, at desc);
create index payment_exception_open on payment_exception (account_id) where handled_at is null;
select platform.tenant_table('payment_exception', 'gwid');
`;
