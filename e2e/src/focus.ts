import type { Page } from 'playwright-core';

export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labels = (element as HTMLInputElement).labels;
    const words = labels?.length ? labels[0]!.textContent : element.textContent;
    return (element.getAttribute('aria-label') ?? words ?? '').trim();
  });
}
