/** Typed calls of the endpoints of a contract: those of the cabinet, and of the operator's desk. */
import type { AnswerOf, BodyOf, QueryOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { TSchema } from 'typebox';
import { CallError } from './call-error.ts';
import { isFromProxy, noteLost, noteReached } from './connection.ts';

export type Contract = Record<
  string,
  { path: string; query?: TSchema; body?: TSchema; fileBytesMax?: number; answer: TSchema }
>;
export type NameIn<Endpoints> = keyof Endpoints & string;
export type AnswerIn<Endpoints extends Contract, Name extends keyof Endpoints> = AnswerOf<
  Endpoints[Name]
>;

/** Every field may also be undefined, for filters that are not set. */
type Loose<Fields> = Fields extends object
  ? { [Field in keyof Fields]: Fields[Field] | undefined }
  : undefined;
export type QueryIn<Endpoints extends Contract, Name extends keyof Endpoints> = Loose<
  QueryOf<Endpoints[Name]>
>;
export type BodyIn<Endpoints extends Contract, Name extends keyof Endpoints> = BodyOf<
  Endpoints[Name]
>;

type ParamNames<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
export type ParamsIn<Endpoints extends Contract, Name extends keyof Endpoints> = Record<
  ParamNames<Endpoints[Name]['path']>,
  string | number
>;

/** The arguments of a call: an endpoint without a body or parameters takes none. */
export type ArgsIn<Endpoints extends Contract, Name extends keyof Endpoints> = (keyof ParamsIn<
  Endpoints,
  Name
> extends never
  ? { params?: undefined }
  : { params: ParamsIn<Endpoints, Name> }) &
  (BodyIn<Endpoints, Name> extends undefined
    ? { body?: undefined }
    : { body: BodyIn<Endpoints, Name> }) &
  (Endpoints[Name] extends { fileBytesMax: number } ? { file: Blob } : { file?: undefined }) & {
    query?: Partial<QueryIn<Endpoints, Name>> | undefined;
    signal?: AbortSignal | undefined;
  };
export type OptionalArgs<Args> = object extends Args ? [args?: Args] : [args: Args];

/** Calls an endpoint by its name in the contract. */
export type Call<Endpoints extends Contract> = <Name extends NameIn<Endpoints>>(
  name: Name,
  ...args: OptionalArgs<ArgsIn<Endpoints, Name>>
) => Promise<AnswerIn<Endpoints, Name>>;

export type Routes = Record<string, readonly [method: string, path: string]>;

type LooseArgs = {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  signal?: AbortSignal;
};

/** Sends the requests of one contract. A refusal is thrown as a `CallError`. */
export function createCaller<Endpoints extends Contract>({
  routes,
  prefix,
  header,
}: {
  routes: Routes;
  prefix: string;
  /** CSRF protection: pages of another site cannot set it. */
  header: string;
}) {
  const readRoute = (name: string) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`the contract has no endpoint ${name}`);
    return route;
  };

  const addressOf = <Name extends NameIn<Endpoints>>(
    name: Name,
    args: Omit<ArgsIn<Endpoints, Name>, 'body' | 'file' | 'signal'>,
  ): string => {
    const { params = {}, query = {} } = args as LooseArgs;
    const [, path] = readRoute(name);
    const filled = path.replaceAll(/:(\w+)/g, (_, param: string) =>
      encodeURIComponent(String(params[param])),
    );
    const search = toSearch(query);
    return `${prefix}${filled}${search === '' ? '' : `?${search}`}`;
  };

  const request = async <Name extends NameIn<Endpoints>>(
    name: Name,
    args: unknown = {},
  ): Promise<AnswerIn<Endpoints, Name>> => {
    const { body, file, signal } = args as LooseArgs;
    const [method] = readRoute(name);
    const response = await fetchOrThrow(addressOf(name, args as never), {
      method,
      credentials: 'same-origin',
      headers: {
        [header]: '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // Whatever the browser takes it for.
        ...(file === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
      ...(signal === undefined ? {} : { signal }),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok || answer === undefined) throw toCallError(response, answer);
    return answer as AnswerIn<Endpoints, Name>;
  };

  return { request, addressOf };
}

async function fetchOrThrow(address: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw connectionLost(String(error));
  }
  if (isFromProxy(response)) throw connectionLost(response.statusText);
  noteReached(response);
  return response;
}

function connectionLost(message: string): CallError {
  noteLost();
  return new CallError({ status: 0, code: 'no_connection', message });
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

function toSearch(query: Record<string, unknown>): string {
  const set = Object.entries(query).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [[name, text]];
  });
  return new URLSearchParams(set).toString();
}
