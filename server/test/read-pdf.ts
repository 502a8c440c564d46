import { extractText, getDocumentProxy } from 'unpdf';

/** The text of a PDF in reading order, with single spaces. */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes));
  const { text } = await extractText(pdf, { mergePages: true });
  return text.replaceAll(/\s+/g, ' ').trim();
}
