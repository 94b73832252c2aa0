// Pictures of the README into `LOOK_TO`, from a running demo whose past is there:
// `LOOK_TO=docs/look npx tsx e2e/src/pictures-readme.ts <address> <password>`.
import type { Page } from 'playwright-core';
import { pictured, takePicture } from './album.ts';
import { openPage, startBrowser } from './browser.ts';

const [url, password] = process.argv.slice(2);
if (!url || !password) throw new Error('Give the address of the demo and its password.');

const browser = await startBrowser();
try {
  for (const { language, theme, suffix } of pictured) {
    const email = language === 'en' ? 'en@demo.example' : 'zh@demo.example';
    const answer = await fetch(`${url}/api/v3/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { token } = (await answer.json()) as { token: string };
    const take = async (name: string, path: string, phone: boolean, open?: (page: Page) => Promise<void>) => {
      const { page, context } = await openPage(browser, url, language, theme, { token, phone });
      await page.goto(url + path);
      await open?.(page);
      await takePicture(page, name, suffix);
      await context.close();
    };
    await take('home', '/', false);
    if (theme === 'dark') continue;
    await take('phone', '/', true);
    await take('incident', '/alarm?state=all', false, async (page) => {
      await page
        .getByRole('button', { name: /▸|展开|Show/ })
        .first()
        .click()
        .catch(() => undefined);
    });
  }
} finally {
  await browser.close();
}
