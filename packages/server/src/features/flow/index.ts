export { flowRoutes } from './routes.ts';
