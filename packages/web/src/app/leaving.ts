let ask: () => Promise<boolean> = async () => true;

/** Registers a question for unsaved changes. */
export function guardLeaving(question: () => Promise<boolean>): void {
  ask = question;
}

export const mayLeavePage = (): Promise<boolean> => ask();
