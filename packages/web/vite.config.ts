import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Names each language's chunk (and its own imports) in a meta element, so that boot.js can ask for it before the
 * program has been read. Saves one round trip before the first paint.
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

export default defineConfig({
  plugins: [react(), languageChunks()],
  build: {
    target: 'es2022',
    sourcemap: false,
    // Read by budgets.test.ts.
    manifest: true,
    // The Content-Security-Policy takes no data: addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'data', test: /node_modules\/@tanstack\// },
            // What most screens share comes in one file instead of twenty small ones.
            { name: 'kit', test: /\/web\/src\/(ui(?!\/(chart|table))|app)\//, minShareCount: 5 },
            // Tables and charts are read by the screens that have some, and not before the sign-in; after the kit, which
            // they stand on.
            { name: 'table', test: /\/web\/src\/ui\/table\//, minShareCount: 2 },
            { name: 'charts', test: /\/web\/src\/ui\/chart\/|node_modules\/(d3-shape|d3-path)\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
