export { PictureField } from './picture-field.tsx';

export const loadSitePreview = async () => ({ default: (await import('./site-preview.tsx')).SitePreview });
