import assert from 'node:assert/strict';
import type {
  AnswerOf,
  BodyOf,
  CabinetEndpoint,
  QueryOf,
} from '@zhiber/contract/cabinet/endpoint.ts';
import type { CabinetErrorCode } from '@zhiber/contract/cabinet/errors.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { findOrAddByPhone } from '../../src/accounts/person-store.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import type { App } from '../../src/app.ts';
import { type CompanyId, newId, type PersonId } from '../../src/ids.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import type { Phone } from '../../src/phone.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { createFixtures, freshPhones, type useService } from '../harness.ts';
import { readNewestCode } from './inbox.ts';

export type TestPerson = {
  personId: PersonId;
  /** In E.164, with the plus. */
  phone: string;
  companyId: CompanyId | undefined;
  /** The session cookie as `name=value`. Updated from the Set-Cookie headers of answers. */
  cookie: string;
};

export type Call<Endpoint> = {
  params?: Record<string, string | number>;
  query?: QueryOf<Endpoint>;
  body?: BodyOf<Endpoint>;
  /** Sent as it is, instead of a body. */
  file?: Buffer;
  headers?: Record<string, string | undefined>;
};

export type Refusal = { success: false; error_code: ProblemCode; message: string } & Record<
  string,
  unknown
>;

export type CabinetAnswer<Endpoint extends Pick<CabinetEndpoint, 'answer'>> = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** Returns the answer, or fails the test when the call was refused. */
  ok(): AnswerOf<Endpoint>;
  /** Returns the refusal, or fails the test when the call succeeded or had another error. */
  refused(code: ProblemCode | CabinetErrorCode): Refusal;
};

const FILE_TYPE = 'application/octet-stream';

/** An endpoint of a contract that pages use: that of the cabinet, or of the operator's desk. */
type PageEndpoint = Pick<CabinetEndpoint, 'method' | 'path' | 'query' | 'body' | 'answer'>;

/** Calls endpoints in the way that the pages do; answers update the cookie of the caller. */
export function createPageCaller(
  service: Pick<ReturnType<typeof useService>, 'http'>,
  { prefix, header, cookie }: { prefix: string; header: string; cookie: string },
) {
  return async <Endpoint extends PageEndpoint>(
    who: { cookie?: string } | undefined,
    endpoint: Endpoint,
    { params, query, body, file, headers }: Call<Endpoint> = {},
  ): Promise<CabinetAnswer<Endpoint>> => {
    const response = await service.http.inject({
      method: endpoint.method,
      url: `${prefix}${fillPath(endpoint.path, params ?? {})}${queryText(query)}`,
      headers: withoutUndefined({
        [header]: '1',
        cookie: who?.cookie || undefined,
        'content-type': file ? FILE_TYPE : body === undefined ? undefined : 'application/json',
        ...headers,
      }),
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      ...(file !== undefined && { payload: file }),
    });
    const newCookie = readSetCookie(response.headers['set-cookie'], cookie);
    if (who !== undefined && newCookie !== undefined) who.cookie = newCookie;
    const label = `${endpoint.method} ${endpoint.path} ${response.statusCode} ${response.payload}`;
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      ok() {
        assert.equal(response.statusCode, 200, label);
        checkShape(endpoint.answer, response.json(), label);
        return response.json();
      },
      refused(code) {
        const answer = response.json() as Refusal;
        assert.equal(answer.error_code, code, label);
        assert.equal(response.statusCode, PROBLEMS[code].status, label);
        assert.equal(answer.request_id, response.headers['x-request-id'], label);
        return answer;
      },
    };
  };
}

/** Creates signed-in people and calls cabinet endpoints in the way its pages do. */
export function createCabinetClient(service: ReturnType<typeof useService>) {
  /** Creates a signed-in person. With a role, they are a member of the given or a new company. */
  const person = async (
    facts: { phone?: string; companyId?: CompanyId; role?: Role } = {},
  ): Promise<TestPerson> => {
    const phone = facts.phone ?? service.phone();
    const personId = await findOrAddByPhone(service.ctx.db, {
      id: newId(Date.now()),
      phone: phone.slice(1) as Phone,
      name: `Человек ${phone}`,
    });
    const isMember = facts.role !== undefined || facts.companyId !== undefined;
    const companyId = isMember ? (facts.companyId ?? (await service.company())) : undefined;
    if (companyId !== undefined) {
      await service.sql(
        'insert into member (company_id, person_id, role) values ($1, $2, $3) on conflict do nothing',
        [companyId, personId, facts.role ?? 'owner'],
      );
    }
    const caller = { cookie: undefined, address: '127.0.0.1', device: 'Test/1.0' };
    const { cookie } = await startSession(service.accounts, caller, { personId });
    return { personId, phone, companyId, cookie: readSetCookie(cookie) ?? '' };
  };

  const call = createPageCaller(service, {
    prefix: '/cabinet',
    header: 'x-zhiber-cabinet',
    cookie: 'zhiber',
  });

  return {
    person,
    /** As if all signed-in people had just confirmed that it is them. */
    async proveIdentities(): Promise<void> {
      await service.sql('update session set proven_at = clock_timestamp()');
    },
    /** Asks for a code as the sign-in page does. Returns the body that signs in with it. */
    async requestPhoneCode(phone: string, who?: { cookie?: string }) {
      const asked = await call(who, SESSION_ENDPOINTS.sendPhoneCode, { body: { phone } });
      const { request_token } = asked.ok();
      return { phone, code: readNewestCode(service, phone), request_token };
    },
    /** Calls with a person's session; answers update their cookie. */
    as: (who: { cookie?: string }) => ({
      call: <Endpoint extends CabinetEndpoint>(endpoint: Endpoint, request?: Call<Endpoint>) =>
        call(who, endpoint, request),
    }),
    /** Calls without a session. */
    call: <Endpoint extends CabinetEndpoint>(endpoint: Endpoint, request?: Call<Endpoint>) =>
      call(undefined, endpoint, request),
  };
}

/** The cabinet of a whole application, for tests that need its provider callbacks. */
export function openCabinetOf(app: App): ReturnType<typeof createCabinetClient> {
  return createCabinetClient({
    ...app,
    ...createFixtures(() => app.ctx),
    accounts: openAccounts(app.ctx, openMailer(app.ctx, createSandbox(app.ctx.clock))),
    phone: freshPhones(),
    sql: (text: string, values?: unknown[]) => app.ctx.db.query(text, values),
  } as never);
}

const checks = new Map<TSchema, ReturnType<typeof Compile>>();

function checkShape(schema: TSchema, answer: unknown, label: string): void {
  const check = checks.get(schema) ?? Compile(schema);
  checks.set(schema, check);
  assert(check.Check(answer), `${label}: ${JSON.stringify(check.Errors(answer))}`);
}

function fillPath(path: string, params: Record<string, string | number>): string {
  return path.replaceAll(/:(\w+)/g, (_all, name) => encodeURIComponent(params[name] ?? ''));
}

/** Drops undefined fields: headers and queries cannot express them. */
function withoutUndefined<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, Value>;
}

function queryText(query: unknown): string {
  const given = Object.entries(withoutUndefined((query ?? {}) as Record<string, unknown>));
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return text.size === 0 ? '' : `?${text}`;
}

/** The cookie that a browser sends after this Set-Cookie header; empty after a deletion. */
export function readSetCookie(
  header: number | string | string[] | undefined,
  name = 'zhiber',
): string | undefined {
  const cookies = Array.isArray(header) ? header : header === undefined ? [] : [String(header)];
  const ours = cookies.findLast((cookie) => cookie.replace(/^__Host-/, '').startsWith(`${name}=`));
  if (ours === undefined) return undefined;
  return /; Max-Age=0(?:;|$)/.test(ours) ? '' : ours.split(';')[0];
}
