import { ROUTES } from 'virtual:routes';
import type { AnswerOf, BodyOf, QueryOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { CallError } from './call-error.ts';

type Endpoints = typeof CABINET_ENDPOINTS;
export type EndpointName = keyof Endpoints;
export type Answer<Name extends EndpointName> = AnswerOf<Endpoints[Name]>;

/** Every field may also be undefined, for filters that are not set. */
type Loose<Fields> = Fields extends object
  ? { [Field in keyof Fields]: Fields[Field] | undefined }
  : undefined;
export type Query<Name extends EndpointName> = Loose<QueryOf<Endpoints[Name]>>;
export type Body<Name extends EndpointName> = BodyOf<Endpoints[Name]>;

type ParamNames<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type Params<Name extends EndpointName> = Record<
  ParamNames<Endpoints[Name]['path']>,
  string | number
>;

/** The arguments of a call: an endpoint without a body or parameters takes none. */
export type CallArgs<Name extends EndpointName> = (keyof Params<Name> extends never
  ? { params?: undefined }
  : { params: Params<Name> }) &
  (Body<Name> extends undefined ? { body?: undefined } : { body: Body<Name> }) & {
    query?: Partial<Query<Name>> | undefined;
    signal?: AbortSignal | undefined;
  };
export type OptionalArgs<Args> = object extends Args ? [args?: Args] : [args: Args];

/** Handlers for refusals that need the user. The app sets them at its start. */
export const onRefusal = {
  notSignedIn: (): void => {},
  /** Resolves to whether the person has confirmed their identity. */
  staleSignIn: async (): Promise<boolean> => false,
  /** The company is suspended, or needs a second factor: the session as it is shown is outdated. */
  companyClosed: (): void => {},
};

const COMPANY_CLOSED = ['company_suspended', 'second_factor_needed'];

/** Calls an endpoint of the cabinet by its name in the contract. */
export async function call<Name extends EndpointName>(
  name: Name,
  ...[args]: OptionalArgs<CallArgs<Name>>
): Promise<Answer<Name>> {
  try {
    return await request(name, args);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.code === 'not_signed_in') onRefusal.notSignedIn();
    if (COMPANY_CLOSED.includes(error.code)) onRefusal.companyClosed();
    if (error.code !== 'stale_sign_in' || !(await onRefusal.staleSignIn())) throw error;
    return await request(name, args);
  }
}

/** The URL of an endpoint, for file downloads and event streams. */
export function addressOf<Name extends EndpointName>(
  name: Name,
  args: Omit<CallArgs<Name>, 'body' | 'signal'>,
): string {
  const { params = {}, query = {} } = args as LooseArgs;
  const [, path] = readRoute(name);
  const filled = path.replaceAll(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(String(params[param])),
  );
  const search = toSearch(query);
  return `/cabinet${filled}${search === '' ? '' : `?${search}`}`;
}

type LooseArgs = {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
};

async function request<Name extends EndpointName>(name: Name, args: unknown = {}) {
  const { body, signal } = args as LooseArgs;
  const [method] = readRoute(name);
  const response = await fetchOrThrow(addressOf(name, args as CallArgs<Name>), {
    method,
    credentials: 'same-origin',
    headers: {
      // CSRF protection: pages of another site cannot set this header.
      'x-zhiber-cabinet': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok || answer === undefined) throw toCallError(response, answer);
  return answer as Answer<Name>;
}

async function fetchOrThrow(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError({ status: 0, code: 'no_connection', message: String(error) });
  }
}

function toCallError(response: Response, answer: unknown): CallError {
  const facts = (answer ?? {}) as Record<string, unknown>;
  const requestId = facts.request_id ?? response.headers.get('x-request-id');
  return new CallError({
    status: response.status,
    code: typeof facts.error_code === 'string' ? facts.error_code : 'internal_error',
    message: typeof facts.message === 'string' ? facts.message : response.statusText,
    ...(typeof facts.errors === 'object' && { errors: facts.errors as Record<string, string[]> }),
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof facts.retry_after === 'number' && { retryAfter: facts.retry_after }),
    ...(typeof facts.attempts_left === 'number' && { attemptsLeft: facts.attempts_left }),
  });
}

function readRoute(name: string): readonly [method: string, path: string] {
  const route = ROUTES[name];
  if (route === undefined) throw new Error(`the contract has no endpoint ${name}`);
  return route;
}

function toSearch(query: Record<string, unknown>): string {
  const set = Object.entries(query).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [[name, text]];
  });
  return new URLSearchParams(set).toString();
}
