const bidiControls = /\p{Bidi_Control}/gu;

/** Returns the first bidirectional control of a text: after U+202E, `fdp.exe` reads `exe.pdf`. */
export const bidiControlOf = (text: string): string | undefined => text.match(bidiControls)?.[0];

export const withoutBidi = (text: string): string => text.replace(bidiControls, '');
