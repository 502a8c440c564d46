/**
 * A QR code leads to the short address with `?q`, so that scans can be told from clicks. No short
 * name has a question mark, and a node that does not know the mark opens the link all the same.
 */
export const SCAN_MARK = 'q';
