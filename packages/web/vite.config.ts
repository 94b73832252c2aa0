import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { readingsByKey, readSettings } from './setting-labels.ts';
import { nav } from './src/messages/zh-cn/nav.ts';
import { search } from './src/messages/zh-cn/search.ts';

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

/** Fills in what the search knows of screens, forms and acts, with their pinyin. */
function searchIndex(): Plugin {
  return {
    name: 'search-index',
    load(id) {
      if (!id.endsWith('/features/search/search-index.ts')) return null;
      const spoken = Object.entries({ ...nav, ...search }).filter(
        ([key]) => !/^(search\.(kind|type|same|peripheral)|keys\.)/.test(key),
      );
      const readings = readingsByKey(Object.fromEntries(spoken));
      return `export const settingIndex = ${JSON.stringify(readSettings())};
export const readings = ${JSON.stringify(readings)};`;
    },
  };
}

const kit = /\/web\/src\/(ui(?!\/(chart|table|device|fields|qr-code))|app)\//;
/** Files of the kit that no public screen needs. */
const signedIn = new RegExp(
  `/web/src/(${[
    'app/(lazy-parts|leaving|method-name|new-key|payment-name|rate-limited)',
    'ui/(alarm-level|answer|base64-of|browser-labels|change|choice|confirm-|copy|help-text|job-|network-labels)',
    'ui/(networks-field|operator|page|plain-pager|reason-dialog|save-bar|saving|status|typed-tags|unsaved)',
    'ui/use-debounced',
  ].join('|')})`,
);

export default defineConfig({
  plugins: [react(), languageChunks(), searchIndex()],
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
            // common code in one file instead of twenty small ones; of signed-in screens in a second one
            {
              name: 'kit',
              test: (id) => kit.test(id) && !signedIn.test(id),
              minShareCount: 5,
            },
            { name: 'signed-in', test: signedIn, minShareCount: 5 },
            { name: 'fields', test: /\/web\/src\/ui\/fields\//, minShareCount: 2 },
            { name: 'device', test: /\/web\/src\/ui\/device\//, minShareCount: 2 },
            // Tables and charts: loaded only by screens that use them. After the kit, their dependency.
            { name: 'table', test: /\/web\/src\/ui\/table\//, minShareCount: 2 },
            { name: 'charts', test: /\/web\/src\/ui\/chart\/|node_modules\/(d3-shape|d3-path)\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
