export const name = '0254-billing-card-refunds';

/** What a refund of a card gave back: without what was used, less than its face. */
export const up = `
alter table billing_card add column refunded_fen bigint;
update billing_card c set refunded_fen = b.face_fen from billing_card_batch b
where b.account_id = c.account_id and b.id = c.batch_id and c.refunded_at is not null;
alter table billing_card add check ((refunded_fen is null) = (refunded_at is null));
`;
