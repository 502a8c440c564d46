import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { isReachable, type WebhookReach, withoutBrackets } from './webhook-url.ts';

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

export const NOT_PUBLIC_CODE = 'ZHIBER_NOT_PUBLIC';

export class NotPublic extends Error {
  readonly code = NOT_PUBLIC_CODE;
}

/**
 * Node does not look up a literal address, so that is checked by itself. A name is looked up by us,
 * and one address that is not public refuses the whole answer: which of them is dialled is not ours
 * to choose.
 */
export function createCheckedConnector(
  build: typeof buildConnector,
  { reach, resolve, timeoutMs }: { reach: WebhookReach; resolve: Resolve; timeoutMs: number },
): buildConnector.connector {
  const lookup: LookupFunction = (host, { all }, done) => {
    resolve(host).then(
      (found) => {
        const wrong = found.find(({ address }) => !isReachable(address, reach));
        const first = found[0];
        if (wrong !== undefined) done(new NotPublic(`${host} is ${wrong.address}`), '', 0);
        else if (first === undefined)
          done(Object.assign(new Error(host), { code: 'ENOTFOUND' }), '', 0);
        else if (all) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
  const connect = build({ timeout: timeoutMs, lookup } as buildConnector.BuildOptions);
  return (target, done) => {
    const host = withoutBrackets(target.hostname);
    if (isIP(host) !== 0 && !isReachable(host, reach)) {
      done(new NotPublic(host), null);
      return;
    }
    connect(target, done);
  };
}
