let ask: () => Promise<boolean> = async () => true;

/** Whoever keeps what nobody has saved says here how it is asked about. */
export function guardLeaving(question: () => Promise<boolean>): void {
  ask = question;
}

/** Whether the page may be left for good; where something would be lost, the person is asked, once. */
export const mayLeavePage = (): Promise<boolean> => ask();
