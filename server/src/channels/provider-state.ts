import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';

/** Whether a provider can carry messages, as far as it knows without a message. */
export type ProviderState = {
  isUp: boolean;
  /** Why; one English sentence for the operator, without credentials. */
  detail: string;
  since: Date;
};

export type ProviderStateHolder = {
  read(): ProviderState;
  /** Logs the change; a repetition is not logged. */
  set(isUp: boolean, detail: string): void;
};

/** Down until it is known to be up. */
export function createProviderState({
  name,
  log,
  clock,
}: {
  name: string;
  log: Logger;
  clock: Clock;
}): ProviderStateHolder {
  let state: ProviderState = { isUp: false, detail: 'Not started.', since: clock.now() };
  return {
    read: () => state,
    set(isUp, detail) {
      if (isUp === state.isUp && detail === state.detail) return;
      state = { isUp, detail, since: isUp === state.isUp ? state.since : clock.now() };
      const fields = { provider: name, why: detail };
      if (isUp) log.info(fields, 'provider is up');
      else log.error(fields, 'provider is down');
    },
  };
}
