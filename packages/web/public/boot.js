// Runs before the first paint (a file, because the Content-Security-Policy forbids inline scripts). Sets language and
// theme on the document and preloads the language's texts. `?lang=` in a link chooses the language for good.
(() => {
  const root = document.documentElement;
  let language = 'zh-CN';
  let theme = 'light';
  const address = new URL(location.href);
  const asked = { en: 'en', 'zh-CN': 'zh-CN', zh: 'zh-CN' }[address.searchParams.get('lang')];
  try {
    if (asked) {
      localStorage.setItem('yunxun.language', asked);
      // so that a later choice outlasts a reload
      address.searchParams.delete('lang');
      history.replaceState(history.state, '', address);
    }
    if (localStorage.getItem('yunxun.language') === 'en') language = 'en';
    const choice = sessionStorage.getItem('yunxun.theme');
    const follows = choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches;
    if (choice === 'dark' || follows) theme = 'dark';
  } catch {
    // Storage may be disabled: keep the defaults.
  }
  root.lang = language;
  root.dataset.theme = theme;
  document.title = language === 'en' ? 'Yunxun' : '云巡';
  const chunks = document.querySelector(`meta[name="chunk:${language}"]`)?.content;
  for (const href of chunks ? chunks.split(' ') : []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    document.head.append(link);
  }
})();
