import { within } from '../../../runtime/deadline.ts';
import type { ProviderStateHolder } from '../../provider-state.ts';
import { openConnection, type SmppConnection } from './connection.ts';
import type { Role } from './pdu-socket.ts';
import { listPlaces, type Place } from './places.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Session, TakeDelivery } from './session.ts';
import type { FullSettings } from './settings.ts';

/** All connections of an account: so many to each host, and two for each bind where it is split. */
export type SmppConnections = {
  /** The session to send by, waited for up to the limit. */
  session(limitMs: number): Promise<Session | undefined>;
  stop(): Promise<void>;
};

type Link = SmppConnection & { place: Place; role: Role };

export function openConnections({
  settings,
  limiter,
  state,
  takeDeliveryFrom,
}: {
  settings: FullSettings;
  limiter: RateLimiter;
  state: ProviderStateHolder;
  takeDeliveryFrom(place: Place): TakeDelivery;
}): SmppConnections {
  const report = createStateReport(state);
  const links = listPlaces(settings).flatMap((place) => {
    const takeDelivery = takeDeliveryFrom(place);
    return Array.from({ length: settings.binds }, () => rolesOf(settings))
      .flat()
      .map((role): Link => {
        const onChange = report.add({ place, role });
        const parts = { settings, limiter, place, role, takeDelivery, onChange };
        return Object.assign(openConnection(parts), { place, role });
      });
  });
  const senders = links.filter(({ role }) => role !== 'receiver');
  let isStopped = false;
  let turn = 0;

  return {
    async session(limitMs) {
      if (isStopped) return undefined;
      turn += 1;
      const bound = pickSession(senders, { hostUse: settings.hostUse, turn });
      if (bound !== undefined) return bound;
      return await within(limitMs, Promise.race(senders.map((sender) => sender.bound())));
    },
    async stop() {
      isStopped = true;
      await Promise.all(links.map((link) => link.stop()));
    },
  };
}

/** The first is the one that a check binds as. */
export function rolesOf({ bind }: Pick<FullSettings, 'bind'>): [Role, ...Role[]] {
  return bind === 'transceiver' ? ['transceiver'] : ['transmitter', 'receiver'];
}

/** How many messages the connections of an account take at once. */
export function windowOf(settings: FullSettings): number {
  const hosts = settings.hostUse === 'first' ? 1 : listPlaces(settings).length;
  return settings.window * settings.binds * hosts;
}

/**
 * The session with the fewest messages in flight, and in turn among equals; with `first` only of the
 * first host that is bound.
 */
function pickSession(
  senders: readonly Link[],
  { hostUse, turn }: { hostUse: FullSettings['hostUse']; turn: number },
): Session | undefined {
  const bound = senders.filter(({ session }) => session !== undefined);
  const usable = hostUse === 'all' ? bound : bound.filter(({ place }) => place === bound[0]?.place);
  const start = usable.length === 0 ? 0 : turn % usable.length;
  const sessions = [...usable.slice(start), ...usable.slice(0, start)].flatMap(
    ({ session }) => session ?? [],
  );
  return sessions.toSorted((a, b) => a.inFlight - b.inFlight)[0];
}

/** What the connections are together: up while one of them can send. */
function createStateReport(state: ProviderStateHolder) {
  const all: { place: Place; role: Role; isBound: boolean; why?: string }[] = [];

  const describe = () => {
    const [only] = all;
    if (all.length === 1 && only?.isBound) return `Bound at ${only.place.text}.`;
    const reasons = all.flatMap(({ place, role, isBound, why }) => {
      const as = role === 'transceiver' ? '' : ` as ${role}`;
      return isBound || why === undefined ? [] : [`Not bound at ${place.text}${as}: ${why}.`];
    });
    const bound = all.filter(({ isBound }) => isBound).length;
    const count = all.length === 1 ? [] : [`${bound} of ${all.length} binds.`];
    return [...count, ...new Set(reasons)].join(' ');
  };

  return {
    add(link: { place: Place; role: Role }) {
      const one: (typeof all)[number] = { ...link, isBound: false };
      all.push(one);
      return (why: string | undefined) => {
        one.isBound = why === undefined;
        if (why !== undefined) one.why = why;
        const isUp = all.some(({ isBound, role }) => isBound && role !== 'receiver');
        state.set(isUp, describe());
      };
    },
  };
}
