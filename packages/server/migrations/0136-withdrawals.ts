export const name = '0136-withdrawals';

export const up = `
create table withdrawal (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  -- chosen by the caller: a repeated request counts once
  key uuid not null,
  -- fen; the fee is part of the amount
  fen bigint not null check (fen > 0),
  fee_fen bigint not null check (fee_fen >= 0 and fee_fen < fen),
  state text not null check (state in ('requested', 'approved', 'paid', 'refused')),
  -- holder, bank card and ID card, sealed under the account's key
  payee bytea not null,
  payee_shown jsonb not null,
  requested_at timestamptz not null,
  requested_by uuid not null,
  requester text not null,
  approved_at timestamptz,
  approved_by uuid,
  approver text,
  settled_at timestamptz,
  settled_by uuid,
  settler text,
  reason text,
  receipt text,
  primary key (account_id, id),
  unique (account_id, key)
);
create index withdrawal_id on withdrawal (id);
create index withdrawal_open on withdrawal (state, requested_at);
select platform.tenant_table('withdrawal');
revoke delete, truncate on withdrawal from yunxun_app, yunxun_system;
revoke update on withdrawal from yunxun_app;
`;
