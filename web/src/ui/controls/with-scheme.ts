/** A host and its port, as in `shop.kz:8080/sale`, look like a scheme up to the colon. */
const HOST_AND_PORT = /^[^:/?#]+:\d+(?:[/?#]|$)/;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** People paste `shop.kz/sale` without a scheme. */
export function withScheme(url: string): string {
  const hasScheme = SCHEME.test(url) && !HOST_AND_PORT.test(url);
  return hasScheme ? url : `https://${url}`;
}
