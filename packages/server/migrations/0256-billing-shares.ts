export const name = '0256-billing-shares';

/** Shares of a hosted network's income, and their monthly settlements on both sides. */
export const up = `
create table billing_share (
  account_id uuid not null references account on delete cascade,
  gwid uuid not null,
  hosting_id uuid not null,
  percent smallint not null check (percent between 1 and 100),
  set_at timestamptz not null,
  primary key (account_id, gwid)
);
select platform.tenant_table('billing_share', 'gwid');

create table billing_share_settlement (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  side text not null check (side in ('paid', 'received')),
  other_id uuid not null,
  -- of the payer's account; kept by name, because the receiver has no such network
  network_id uuid not null,
  network text not null,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  income_fen bigint not null check (income_fen >= 0),
  percent smallint not null,
  fen bigint not null check (fen >= 0),
  transaction_id uuid,
  at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, side, network_id, month)
);
select platform.tenant_table('billing_share_settlement');
revoke update, delete, truncate on billing_share_settlement from yunxun_app, yunxun_system;
`;
