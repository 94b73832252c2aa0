export const name = '0268-billing-two-persons';

export const up = `
-- the limit under which a withdrawal was requested; the stricter of this and the present one counts
alter table withdrawal add column two_persons_fen bigint;
update withdrawal set two_persons_fen = (
  select (value ->> 'twoPersonsAboveFen')::bigint from installation where key = 'withdrawals'
);

-- changes of members and roles that leave fewer than two persons to decide wait too
alter table money_decision drop constraint money_decision_kind_check;
alter table money_decision add check (kind in ('order', 'card', 'member_remove', 'member_update', 'role_update'));
alter table money_decision alter column fen drop not null;
-- who could decide at the request; null for requests before this column
alter table money_decision add column deciders uuid[];
-- by the installation's administrator, because no second person was left
alter table money_decision add column stood_in boolean not null default false;
alter table money_decision drop constraint money_decision_check1;
alter table money_decision add check (state <> 'done' or stood_in or decided_by <> asked_by);
`;
