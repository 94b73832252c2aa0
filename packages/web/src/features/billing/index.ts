export { PayDialog } from './account/pay-dialog.tsx';
export { OrderDrawer } from './order-drawer.tsx';
