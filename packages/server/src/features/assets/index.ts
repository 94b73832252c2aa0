export { assetRoutes } from './routes.ts';
