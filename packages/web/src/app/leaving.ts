let ask: () => Promise<boolean> = async () => true;

/** Registers a question for unsaved changes. */
export function guardLeaving(question: () => Promise<boolean>): void {
  ask = question;
}

/** Resolves to whether the page may be left. */
export const mayLeavePage = (): Promise<boolean> => ask();
