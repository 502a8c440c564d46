/**
 * The control address of a simulator, where people and tests tell it what to do:
 *
 *   POST   /_simulator/plans       adds a plan (see plan.ts)
 *   DELETE /_simulator/plans       forgets all plans
 *   GET    /_simulator/journal     everything since its start, one object a line
 *   POST   /_simulator/receipts    {id, receipt, ...plan}: reports a receipt of a message, now
 *   POST   /_simulator/acts/NAME   what people do, and what else happens at this provider
 */
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
} from './given.ts';
import type { SimulatedCall, Simulator } from './http-simulator.ts';
import type { Journal } from './journal.ts';
import { DEEDS, type Deed, type MalformedForm, type Plan, type Plans, RECEIPTS } from './plan.ts';
import type { Json } from './read-body.ts';
import type { Reply } from './transmit.ts';

/** Something that happens; answers with what came of it. */
export type Act = (given: Json) => Promise<object>;
export type Acts = Readonly<Record<string, Act>>;

/** A simulator as its control address sees it. */
export type Controlled = {
  name: string;
  journal: Journal;
  plans: Plans;
  find(id: string): unknown;
  report: Simulator['report'];
  /** What can be the `code` of a plan that does this. */
  codes: Readonly<Partial<Record<Deed, Field<unknown>>>>;
  /** In which ways its answers can be malformed. */
  forms: readonly MalformedForm[];
  hasReceipts: boolean;
  acts: Acts;
};

/** An act whose fields are checked before anything happens. */
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
  const place = call.path.slice(PREFIX.length);
  if (call.method === 'POST' && place.startsWith(ACTS)) {
    return await perform(place.slice(ACTS.length), readBody(call.body), simulator);
  }
  switch (`${call.method} ${place}`) {
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
  const known = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (known === undefined) {
    const names = Object.keys(acts).join(', ') || 'none';
    return failure(404, `${simulator.name} has no act "${name}"; its acts are: ${names}.`);
  }
  const result = await known(given);
  journal.write({ event: 'act', name, given, result });
  return success(result);
}

async function report(given: Json, simulator: Controlled): Promise<Reply> {
  if (!simulator.hasReceipts) throw new BadRequest(`${simulator.name} reports no receipts.`);
  const { id, receipt, ...plan } = readFields(given, {
    ...planFields(simulator),
    id: code,
    receipt: oneOf(RECEIPTS),
    does: optional(oneOf(DEEDS)),
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
    does: oneOf(DEEDS),
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
  } satisfies Record<keyof Plan, Field<unknown>>;
}

function success(result: object): Reply {
  return { status: 200, body: `${JSON.stringify({ ok: true, ...result })}\n` };
}

function failure(status: number, error: string): Reply {
  return { status, body: `${JSON.stringify({ error })}\n` };
}
