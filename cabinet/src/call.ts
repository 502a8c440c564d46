import { ROUTES } from 'virtual:routes';
import type { AnswerOf, BodyOf, QueryOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';

type Endpoints = typeof CABINET_ENDPOINTS;
export type EndpointName = keyof Endpoints;
export type Answer<Name extends EndpointName> = AnswerOf<Endpoints[Name]>;

/** A filter that is not set may be left undefined. */
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

/** What a call needs, and no more: an endpoint without a body takes none. */
export type CallArgs<Name extends EndpointName> = (keyof Params<Name> extends never
  ? { params?: undefined }
  : { params: Params<Name> }) &
  (Body<Name> extends undefined ? { body?: undefined } : { body: Body<Name> }) & {
    query?: Partial<Query<Name>> | undefined;
    signal?: AbortSignal | undefined;
  };
export type OptionalArgs<Args> = object extends Args ? [args?: Args] : [args: Args];

type Refusal = {
  status: number;
  code: string;
  message: string;
  errors?: Record<string, string[]>;
  requestId?: string;
  retryAfter?: number;
  attemptsLeft?: number;
};

/** The server refused, or could not be reached: then the status is 0 and the code `no_connection`. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  /** What to mend, by field. */
  readonly errors: Record<string, string[]>;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly attemptsLeft: number | undefined;

  constructor({ status, code, message, errors = {}, ...facts }: Refusal) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.attemptsLeft = facts.attemptsLeft;
  }
}

/** What the app does when a call needs the person; it puts its own functions here at its start. */
export const onRefusal = {
  notSignedIn: (): void => {},
  /** Answers whether the person has proved who they are. */
  staleSignIn: async (): Promise<boolean> => false,
};

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
    if (error.code !== 'stale_sign_in' || !(await onRefusal.staleSignIn())) throw error;
    return await request(name, args);
  }
}

/** The address of an endpoint, for links to files and for streams of events. */
export function addressOf<Name extends EndpointName>(
  name: Name,
  args: Omit<CallArgs<Name>, 'body' | 'signal'>,
): string {
  const { params = {}, query = {} } = args as LooseArgs;
  const [, path] = routeOf(name);
  const filled = path.replaceAll(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(String(params[param])),
  );
  const search = searchOf(query);
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
  const [method] = routeOf(name);
  const response = await reach(addressOf(name, args as CallArgs<Name>), {
    method,
    credentials: 'same-origin',
    headers: {
      // A page of another site cannot set it, so the server knows that the call is ours.
      'x-zhiber-cabinet': '1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok || answer === undefined) throw refusalOf(response, answer);
  return answer as Answer<Name>;
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new CallError({ status: 0, code: 'no_connection', message: String(error) });
  }
}

function refusalOf(response: Response, answer: unknown): CallError {
  const said = (answer ?? {}) as Record<string, unknown>;
  const requestId = said.request_id ?? response.headers.get('x-request-id');
  return new CallError({
    status: response.status,
    code: typeof said.error_code === 'string' ? said.error_code : 'internal_error',
    message: typeof said.message === 'string' ? said.message : response.statusText,
    ...(typeof said.errors === 'object' && { errors: said.errors as Record<string, string[]> }),
    ...(typeof requestId === 'string' && { requestId }),
    ...(typeof said.retry_after === 'number' && { retryAfter: said.retry_after }),
    ...(typeof said.attempts_left === 'number' && { attemptsLeft: said.attempts_left }),
  });
}

function routeOf(name: string): readonly [method: string, path: string] {
  const route = ROUTES[name];
  if (route === undefined) throw new Error(`the contract has no endpoint ${name}`);
  return route;
}

function searchOf(query: Record<string, unknown>): string {
  const set = Object.entries(query).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    return text === '' ? [] : [[name, text]];
  });
  return new URLSearchParams(set).toString();
}
