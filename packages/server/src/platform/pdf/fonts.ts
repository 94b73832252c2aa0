import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const folder = '@expo-google-fonts/noto-sans-sc';
const files = {
  regular: `${folder}/400Regular/NotoSansSC_400Regular.ttf`,
  bold: `${folder}/700Bold/NotoSansSC_700Bold.ttf`,
} as const;

export type FontName = keyof typeof files;

/** Reads both fonts, 21 MB: a document holds them only while it is made. */
export async function readFonts(): Promise<Record<FontName, Buffer>> {
  const [regular, bold] = await Promise.all([readFile(resolve(files.regular)), readFile(resolve(files.bold))]);
  return { regular, bold };
}
