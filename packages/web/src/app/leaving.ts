let ask: () => Promise<boolean> = async () => true;

/** Registers the question to ask before unsaved changes are lost. */
export function guardLeaving(question: () => Promise<boolean>): void {
  ask = question;
}

/** Asks the person if changes would be lost; resolves to whether the page may be left. */
export const mayLeavePage = (): Promise<boolean> => ask();
