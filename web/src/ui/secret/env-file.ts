import { saveFile } from '../../ui/save-file.ts';

/** Downloads an .env file for a server. It is created in the browser, without a request. */
export function saveEnvFile(settings: { key: string; address: string }): void {
  const text = `ZHIBER_KEY=${settings.key}\nZHIBER_URL=${settings.address}\n`;
  // Browsers remove a leading dot from a file name.
  saveFile('zhiber.env', new Blob([text], { type: 'text/plain' }));
}
