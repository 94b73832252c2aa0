export const name = '0253-billing-decisions';

/** Refunds above the limit of the installation, which wait for a second person. */
export const up = `
create table money_decision (
  account_id uuid not null references account on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('order', 'card')),
  -- number of the order, ID of the card
  object text not null,
  name text not null,
  fen bigint not null check (fen > 0),
  -- at the request
  limit_fen bigint not null,
  input jsonb not null,
  state text not null check (state in ('waiting', 'done', 'withdrawn', 'refused')),
  asked_at timestamptz not null,
  asked_by uuid not null,
  asker text not null,
  decided_at timestamptz,
  decided_by uuid,
  decider text,
  reason text,
  primary key (account_id, id),
  check ((state = 'waiting') = (decided_at is null)),
  check (state <> 'done' or decided_by <> asked_by)
);
create unique index money_decision_waiting on money_decision (account_id, kind, object) where state = 'waiting';
select platform.tenant_table('money_decision');
revoke delete, truncate on money_decision from yunxun_app, yunxun_system;
`;
