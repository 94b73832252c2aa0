// Pictures of the README into `LOOK_TO`, from a running demo whose past is there:
// `LOOK_TO=docs/look npx tsx e2e/src/pictures-readme.ts <address> <password>`.
import { pictured, takePicture } from './album.ts';
import { openPage, startBrowser, texts } from './browser.ts';
import { signIn } from './person.ts';

const [url, password] = process.argv.slice(2);
if (!url || !password) throw new Error('Give the address of the demo and its password.');

const browser = await startBrowser();
try {
  for (const { language, theme, suffix } of pictured) {
    const t = texts(language);
    const { token, call } = await signIn({ url }, `${language === 'en' ? 'en' : 'zh'}@demo.example`, password);
    const take = async (name: string, path: string, shown: string, phone = false) => {
      const { page, context } = await openPage(browser, url, language, theme, { token, phone });
      await page.goto(url + path);
      await page.getByRole('heading', { name: shown }).first().waitFor();
      await takePicture(page, name, suffix);
      await context.close();
    };
    await take('home', '/', t('night.last'));
    if (theme === 'dark') continue;
    await take('phone', '/', t('night.last'), true);
    const { list } = await call<{ list: { id: string }[] }>('/api/v3/alarm/list', {
      state: 'all',
      page: 1,
      limit: 10,
    });
    if (!list[0]) throw new Error('The demo has no alarm.');
    await take('incident', `/alarm?state=all&alarm=${list[0].id}`, t('alarm.timeline'));
  }
} finally {
  await browser.close();
}
