export const name = '0255-billing-withdrawal-lines';

/** The request took the amount from the balance; its payment changes nothing more. */
export const up = `
update ledger_transaction set fen = 0 where kind = 'withdrawal_payment';
`;
