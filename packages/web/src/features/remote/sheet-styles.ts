/**
 * Runs `make`, which writes style elements, and gives their rules to constructed style sheets: the
 * Content-Security-Policy forbids inline styles, not these.
 */
export function withSheetStyles(make: () => void): void {
  const original = document.createElement;
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === 'style' ? sheetElement(original) : original.call(document, name, options)) as typeof original;
  try {
    make();
  } finally {
    document.createElement = original;
  }
}

function sheetElement(create: typeof document.createElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const element = create.call(document, 'template');
  Object.defineProperty(element, 'textContent', {
    set(rules: string) {
      sheet.replaceSync(rules);
    },
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}
