export { PictureField } from './picture-field.tsx';

/** Loads the guest's page of a network. */
export const loadSitePreview = async () => ({ default: (await import('./site-preview.tsx')).SitePreview });
