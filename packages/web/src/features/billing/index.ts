export { OrderDrawer } from './order-drawer.tsx';
