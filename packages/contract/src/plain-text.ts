const bidiControls = /\p{Bidi_Control}/gu;

/** Without bidirectional controls: after U+202E, `fdp.exe` reads `exe.pdf`. */
export const withoutBidi = (text: string): string => text.replace(bidiControls, '');
