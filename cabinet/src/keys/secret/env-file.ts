/** The file that a server reads its settings from. It is made here and never leaves the browser. */
export function saveEnvFile(settings: { key: string; address: string }): void {
  const text = `ZHIBER_KEY=${settings.key}\nZHIBER_URL=${settings.address}\n`;
  const file = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = file;
  // A browser takes the dot away from a name that begins with it.
  link.download = 'zhiber.env';
  link.click();
  URL.revokeObjectURL(file);
}
