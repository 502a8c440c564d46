import { VERSION } from '../version.ts';

/** The headers of a call, as they are sent and shown. */
export function callHeaders(signature: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': `Zhiber-Webhooks/${VERSION}`,
    ...signature,
  };
}
