export { AllInvoices } from './all-invoices.tsx';
export { AllTransfers } from './all-transfers.tsx';
export { AllWithdrawals } from './all-withdrawals.tsx';
export { Clearing } from './clearing/clearing.tsx';
export { AccountCoupons } from './coupons/account-coupons.tsx';
export { PaymentProviders } from './payment-providers.tsx';
