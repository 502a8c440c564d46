/** One message, beside the list on a wide screen. */
export function MessagePanel() {
  return null;
}
