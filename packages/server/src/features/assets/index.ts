export { assetRoutes } from './routes.ts';
export { makers } from './vendors.ts';
