import react from '@vitejs/plugin-react';
import { pinyin } from 'pinyin-pro';
import { defineConfig, type Plugin } from 'vite';
import { nav } from './src/messages/zh-cn/nav.ts';

/**
 * Lists each language's chunks and imports in a meta element, so that boot.js preloads them. Saves one round trip
 * before the first paint.
 */
function languageChunks(): Plugin {
  return {
    name: 'language-chunks',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const tags = Object.values(bundle ?? {}).flatMap((item) => {
          if (item.type !== 'chunk' || !item.isDynamicEntry) return [];
          const language = /\/messages\/(zh-cn|en)\.ts$/.exec(item.facadeModuleId ?? '')?.[1];
          if (!language) return [];
          return [
            {
              tag: 'meta',
              attrs: { name: `chunk:${language === 'en' ? 'en' : 'zh-CN'}`, content: `/${item.fileName}` },
              injectTo: 'head-prepend' as const,
            },
          ];
        });
        return { html, tags };
      },
    },
  };
}

/** Fills in the pinyin initials of screen names for the search. */
function screenInitials(): Plugin {
  return {
    name: 'screen-initials',
    load(id) {
      if (!id.endsWith('/features/search/screen-initials.ts')) return null;
      const initials = Object.entries(nav)
        .filter(([key]) => /^(home|config|plugin|messages|personal)\./.test(key))
        .map(([key, name]) => {
          const letters = pinyin(name, { pattern: 'first', toneType: 'none', type: 'array', nonZh: 'consecutive' });
          const plain = letters.join('').toLowerCase();
          return [key, plain.replace(/[^a-z0-9]/g, '')];
        });
      return `export const screenInitials = ${JSON.stringify(Object.fromEntries(initials))};`;
    },
  };
}

export default defineConfig({
  plugins: [react(), languageChunks(), screenInitials()],
  build: {
    target: 'es2022',
    sourcemap: false,
    // read by budgets.test.ts
    manifest: true,
    // The Content-Security-Policy forbids data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'data', test: /node_modules\/@tanstack\// },
            // common code in one file instead of twenty small ones
            { name: 'kit', test: /\/web\/src\/(ui(?!\/(chart|table))|app)\//, minShareCount: 5 },
            // Tables and charts: loaded only by screens that use them. After the kit, their dependency.
            { name: 'table', test: /\/web\/src\/ui\/table\//, minShareCount: 2 },
            { name: 'charts', test: /\/web\/src\/ui\/chart\/|node_modules\/(d3-shape|d3-path)\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
