import type { Browser, Locator, Page } from 'playwright-core';
import {
  keepPicture,
  type Language,
  openPage,
  startBrowser,
  type Text,
  type Theme,
  texts,
  type Visit,
} from './browser.ts';
import { type Person, register } from './person.ts';
import { type Product, startProduct } from './product.ts';

export class Home {
  #visit: Visit | undefined;

  private constructor(
    readonly product: Product,
    readonly owner: Person,
    readonly gwid: string,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<Home> {
    const [product, browser] = await Promise.all([startProduct(), startBrowser()]);
    const owner = await register(product, 'owner@example.org');
    const { gwid } = await owner.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Lobby' });
    return new Home(product, owner, gwid, browser);
  }

  get page(): Page {
    if (!this.#visit) throw new Error('the page was not opened');
    return this.#visit.page;
  }

  get errors(): readonly string[] {
    return this.#visit?.errors ?? [];
  }

  async visit(
    language: Language,
    prepare: ((page: Page) => Promise<void>) | undefined,
    options: { theme?: Theme; token?: string } = {},
  ): Promise<Text> {
    const token = options.token ?? this.owner.token;
    this.#visit = await openPage(this.browser, this.product.url, language, options.theme ?? 'light', { token });
    await prepare?.(this.page);
    await this.page.goto(this.product.url);
    return texts(language);
  }

  async open(language: Language, prepare?: (page: Page) => Promise<void>, theme?: Theme): Promise<Text> {
    const t = await this.visit(language, prepare, theme ? { theme } : {});
    await this.page.locator('.board-item').first().waitFor();
    return t;
  }

  card(id: string): Locator {
    return this.page.locator(`[data-card="${id}"]`);
  }

  figure(key: string): Locator {
    return this.page.locator(`.strip [data-figure="${key}"]`);
  }

  async near(id: string): Promise<Locator> {
    await this.card(id).scrollIntoViewIfNeeded();
    await this.card(id).locator('.panel').first().waitFor();
    return this.card(id);
  }

  order(): Promise<(string | undefined)[]> {
    return this.page.locator('.board-item').evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.card));
  }

  busy(): Promise<number> {
    return this.page.locator('[aria-busy]').count();
  }

  async leave(failed: string | null): Promise<void> {
    if (failed && this.#visit) await keepPicture(this.page, `home ${failed}`);
    await this.#visit?.context.close();
    this.#visit = undefined;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.product.stop();
  }
}

export const tableOf = (chart: Locator): Promise<string[][]> =>
  chart
    .locator('table tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

export async function says(part: Locator, ...wanted: string[]): Promise<void> {
  for (const text of wanted) await part.getByText(text, { exact: true }).first().waitFor();
}

export const count = (value: number): string => value.toLocaleString('en');
