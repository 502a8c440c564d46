/**
 * The control API of a simulator, for people and tests:
 *
 *   POST   /_simulator/plans       adds a plan (see plan.ts)
 *   DELETE /_simulator/plans       removes all plans
 *   GET    /_simulator/journal     all events since its start, one JSON object a line
 *   POST   /_simulator/receipts    {id, receipt, ...plan}: reports a receipt of a message now
 *   POST   /_simulator/acts/NAME   triggers an act of a person, or an event at the provider
 */

import type { Journal } from './journal.ts';
import {
  BEHAVIOURS,
  type Behaviour,
  type MalformedForm,
  type Plan,
  type Plans,
  RECEIPTS,
} from './plan.ts';
import type { Json } from './read-body.ts';
import {
  BadRequest,
  code,
  type Field,
  flag,
  type Given,
  integerFrom,
  listOf,
  oneOf,
  optional,
  readBody,
  readFields,
  text,
} from './request-fields.ts';
import type { SimulatedCall, Simulator } from './simulator.ts';
import type { Reply } from './transmit.ts';

/** An act of a person or an event at the provider; returns its result. */
export type Act = (given: Json) => Promise<object>;
export type Acts = Readonly<Record<string, Act>>;

/** What the control API needs of a simulator. */
export type Controlled = {
  name: string;
  journal: Journal;
  plans: Plans;
  find(id: string): unknown;
  report: Simulator['report'];
  /** The valid `code` of a plan, by what the plan does. */
  codes: Readonly<Partial<Record<Behaviour, Field<unknown>>>>;
  /** The ways in which its answers can be malformed. */
  forms: readonly MalformedForm[];
  hasReceipts: boolean;
  acts: Acts;
};

/** An act whose fields are validated first. */
export function act<Shape extends Readonly<Record<string, Field<unknown>>>>(
  fields: Shape,
  run: (given: Given<Shape>) => object | Promise<object>,
): Act {
  return async (given) => await run(readFields(given, fields));
}

const PREFIX = '/_simulator/';
const ACTS = 'acts/';

export async function control(call: SimulatedCall, simulator: Controlled): Promise<Reply> {
  try {
    return await answer(call, simulator);
  } catch (error) {
    if (error instanceof BadRequest) return failure(400, error.message);
    throw error;
  }
}

async function answer(call: SimulatedCall, simulator: Controlled): Promise<Reply> {
  const { journal, plans } = simulator;
  const route = call.path.slice(PREFIX.length);
  if (call.method === 'POST' && route.startsWith(ACTS)) {
    return await perform(route.slice(ACTS.length), readBody(call.body), simulator);
  }
  switch (`${call.method} ${route}`) {
    case 'POST plans':
      plans.add(readPlan(readBody(call.body), simulator));
      return success({});
    case 'DELETE plans':
      plans.clear();
      return success({});
    case 'GET journal': {
      const body = journal.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      return { status: 200, headers: { 'content-type': 'application/jsonl' }, body };
    }
    case 'POST receipts':
      return await report(readBody(call.body), simulator);
    default:
      return failure(404, `There is no ${call.method} ${call.path} here.`);
  }
}

async function perform(name: string, given: Json, simulator: Controlled): Promise<Reply> {
  const { acts, journal } = simulator;
  const namedAct = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (namedAct === undefined) {
    const names = Object.keys(acts).join(', ') || 'none';
    return failure(404, `${simulator.name} has no act "${name}"; its acts are: ${names}.`);
  }
  const result = await namedAct(given);
  journal.write({ event: 'act', name, given, result });
  return success(result);
}

async function report(given: Json, simulator: Controlled): Promise<Reply> {
  if (!simulator.hasReceipts) throw new BadRequest(`${simulator.name} reports no receipts.`);
  const { id, receipt, ...plan } = readFields(given, {
    ...planFields(simulator),
    id: code,
    receipt: oneOf(RECEIPTS),
    does: optional(oneOf(BEHAVIOURS)),
  });
  if (simulator.find(String(id)) === undefined) {
    return failure(404, `${simulator.name} took no message ${id}.`);
  }
  const statuses = await simulator.report(String(id), receipt, plan as Partial<Plan>);
  return success({ statuses });
}

function readPlan(given: Json, simulator: Controlled): Plan {
  const plan = readFields(given, planFields(simulator)) as Plan;
  const expected = simulator.codes[plan.does];
  if (plan.code !== undefined && expected?.isRight(plan.code) === false) {
    throw new BadRequest(`With "${plan.does}", "code" ${expected.should}.`);
  }
  return plan;
}

function planFields({ forms }: Controlled) {
  const count = integerFrom(1);
  const milliseconds = integerFrom(0);
  return {
    to: optional(text),
    times: optional(count),
    does: oneOf(BEHAVIOURS),
    code: optional(code),
    retryAfter: optional(integerFrom(0)),
    form: optional(oneOf(forms)),
    isTaken: optional(flag),
    delayMs: optional(milliseconds),
    sameId: optional(flag),
    receipts: optional(listOf(oneOf(RECEIPTS))),
    failure: optional(code),
    receiptDelayMs: optional(milliseconds),
    copies: optional(count),
    isReversed: optional(flag),
    isEarly: optional(flag),
    isForged: optional(flag),
  } satisfies Record<Exclude<keyof Plan, 'released'>, Field<unknown>>;
}

function success(result: object): Reply {
  return { status: 200, body: `${JSON.stringify({ ok: true, ...result })}\n` };
}

function failure(status: number, error: string): Reply {
  return { status, body: `${JSON.stringify({ error })}\n` };
}
