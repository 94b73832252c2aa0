import { methodText } from '../method-text.ts';

export const oneClickText = methodText({
  'zh-CN': {
    name: '一键上网',
    heading: '一键上网',
  },
  en: {
    name: 'One click',
    heading: 'Connect with one click',
  },
});
