/** Whether a host name, as a URL has it, names this machine whatever DNS says. */
export function isLocalHost(hostname: string): boolean {
  return (
    /^(?:.+\.)?localhost$/.test(hostname) ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname) ||
    /^(?:\[::1\]|::1)$/.test(hostname)
  );
}
