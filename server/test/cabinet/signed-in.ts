import assert from 'node:assert/strict';
import type {
  AnswerOf,
  BodyOf,
  CabinetEndpoint,
  QueryOf,
} from '@zhiber/contract/cabinet/endpoint.ts';
import type { CabinetErrorCode } from '@zhiber/contract/cabinet/errors.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { type CompanyId, newId, type PersonId } from '../../src/ids.ts';
import { findOrAddByPhone } from '../../src/people/person-store.ts';
import { openSession, startSession } from '../../src/people/session/start-session.ts';
import type { Phone } from '../../src/phone.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import type { useService } from '../harness.ts';

export type TestPerson = {
  personId: PersonId;
  /** In E.164, with the plus. */
  phone: string;
  companyId: CompanyId | undefined;
  /** What the browser sends: `name=value`. Follows the cookies of the answers. */
  cookie: string;
};

export type Call<Endpoint> = {
  params?: Record<string, string | number>;
  query?: QueryOf<Endpoint>;
  body?: BodyOf<Endpoint>;
  headers?: Record<string, string | undefined>;
};

export type Refusal = { success: false; error_code: ProblemCode; message: string } & Record<
  string,
  unknown
>;

export type Reached<Endpoint extends CabinetEndpoint> = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** The answer; fails the test when it was refused. */
  ok(): AnswerOf<Endpoint>;
  /** The refusal; fails the test when there was none, or another one. */
  refused(code: ProblemCode | CabinetErrorCode): Refusal;
};

/** People with sessions, and calls of the cabinet's endpoints as its pages make them. */
export function signedIn(service: ReturnType<typeof useService>) {
  /** Somebody who is signed in; with a role, in a company: the given one or a new one. */
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
    const { cookies } = await startSession(service.people, caller, openSession(personId));
    return { personId, phone, companyId, cookie: readSetCookie(cookies) ?? '' };
  };

  const call = async <Endpoint extends CabinetEndpoint>(
    who: { cookie?: string } | undefined,
    endpoint: Endpoint,
    { params, query, body, headers }: Call<Endpoint> = {},
  ): Promise<Reached<Endpoint>> => {
    const response = await service.http.inject({
      method: endpoint.method,
      url: `/cabinet${fillPath(endpoint.path, params ?? {})}${queryText(query)}`,
      headers: givenOf({
        'x-zhiber-cabinet': '1',
        cookie: who?.cookie || undefined,
        'content-type': body === undefined ? undefined : 'application/json',
        ...headers,
      }),
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const newCookie = readSetCookie(response.headers['set-cookie']);
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

  return {
    person,
    /** As somebody; their cookie follows what the answers set. */
    as: (who: { cookie?: string }) => ({
      call: <Endpoint extends CabinetEndpoint>(endpoint: Endpoint, request?: Call<Endpoint>) =>
        call(who, endpoint, request),
    }),
    /** As nobody in particular. */
    call: <Endpoint extends CabinetEndpoint>(endpoint: Endpoint, request?: Call<Endpoint>) =>
      call(undefined, endpoint, request),
  };
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

/** Without what is undefined, which neither a header nor a query can say. */
function givenOf<Value>(fields: Record<string, Value | undefined>): Record<string, Value> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, Value>;
}

function queryText(query: unknown): string {
  const given = Object.entries(givenOf((query ?? {}) as Record<string, unknown>));
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return text.size === 0 ? '' : `?${text}`;
}

/** What a browser would send after these cookies; empty once it was told to forget. */
export function readSetCookie(header: number | string | string[] | undefined): string | undefined {
  const cookies = Array.isArray(header) ? header : header === undefined ? [] : [String(header)];
  const ours = cookies.findLast((cookie) => /^(?:__Host-)?zhiber=/.test(cookie));
  if (ours === undefined) return undefined;
  return /; Max-Age=0(?:;|$)/.test(ours) ? '' : ours.split(';')[0];
}
