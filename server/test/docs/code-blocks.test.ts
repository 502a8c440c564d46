/**
 * Runs every code block of the documentation against a running sandbox, in every language that a
 * reader can choose.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { fillPlaceholders } from '@zhiber/contract/pages/docs-placeholders.ts';
import { printNamed } from '../../../web/src/snippets/operations.ts';
import { CODE_FORMS, type CodeForm } from '../../../web/src/snippets/snippets.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { freePort } from '../free-port.ts';
import { useService } from '../harness.ts';
import { addToSummary } from '../test-summary.ts';
import {
  type Block,
  DOCS,
  type Expected,
  type Page,
  placeholdersOf,
  readPages,
} from './markdown-pages.ts';
import { canRun, type Program, prepareRunner, type Result, type Runner } from './run-code.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');

const port = await freePort();
const siteUrl = `http://localhost:${port}`;
const service = useService();

type Visit = { page: Page; form: CodeForm; blocks: Block[] };

/** Each visit has a key of its own: a code that one has sent is replaced by no other. */
const keys = new Map<Visit, string>();
const ran = new Map<CodeForm, number>(CODE_FORMS.map((form) => [form, 0]));
let runner: Runner | undefined;

const pages = withoutRepeats([...readPages(FIXTURES), ...readPages(DOCS)]);
const visits = pages.flatMap((page) => visitsOf(page));

let preparing: Promise<void> | undefined;

/** Called by the tests, because a second hook would not wait for the service. */
async function prepare(): Promise<void> {
  Object.assign(service.ctx.urls, { publicUrl: siteUrl, shortLinkBase: `${siteUrl}/s` });
  await service.http.listen({ port, host: 'localhost' });
  for (const visit of visits) {
    const { key, companyId } = await service.key({ isTest: true });
    keys.set(visit, key);
    const group = { companyId, channel: 'telegram', name: 'Дежурные', chatId: '-1001' } as const;
    await insertGroup(service.ctx.db, group);
  }
  const programs = visits.flatMap((visit) => visit.blocks.map((block) => programOf(visit, block)));
  runner = await prepareRunner(programs);
}

after(() => {
  runner?.remove();
  const total = [...ran.values()].reduce((sum, count) => sum + count, 0);
  const counts = [...ran].map(([form, count]) => `${form} ${count}`).join(', ');
  addToSummary(`docs: ${total} code blocks of ${pages.length} pages ran (${counts})`);
  const missing = CODE_FORMS.filter((form) => !canRun(form));
  if (missing.length > 0) addToSummary(`docs: NOT RUN, no tools here: ${missing.join(', ')}`);
});

/** A page whose code is the same as in Russian is run once. */
function withoutRepeats(all: readonly Page[]): Page[] {
  const codeOf = ({ slug, blocks }: Page) =>
    JSON.stringify([slug, blocks.map(({ line: _line, ...block }) => block)]);
  const seen = new Set<string>();
  return all.filter((page) => {
    const code = codeOf(page);
    const isNew = page.blocks.length > 0 && !seen.has(code);
    seen.add(code);
    return isNew;
  });
}

/**
 * The page as a reader of each language follows it. The blocks that are not examples in all
 * languages are run once, with those of curl.
 */
function visitsOf(page: Page): Visit[] {
  return CODE_FORMS.flatMap((form) => {
    const blocks = page.blocks.filter((block) =>
      // The receivers of webhooks have a test of their own.
      block.kind === 'snippet' ? block.name !== 'webhookCheck' : form === 'curl',
    );
    return blocks.length === 0 ? [] : [{ page, form, blocks }];
  });
}

function programOf(visit: Visit, block: Block): Program {
  const { form } = visit;
  const values = placeholdersOf({ siteUrl, key: keys.get(visit) as string });
  if (block.kind === 'code') {
    return { form: block.form, code: fillPlaceholders(block.code, values) };
  }
  const { name, overrides } = block;
  const code = printNamed(form, name, { apiUrl: `${siteUrl}/api`, overrides });
  return { form, code: fillPlaceholders(code, values) };
}

describe('the code blocks of the documentation work', { concurrency: 3 }, () => {
  for (const visit of visits) {
    const { page, form } = visit;
    const name = `${page.slug} in ${form}${page.lang === 'ru' ? '' : ` (${page.lang})`}`;
    test(name, async (t) => {
      if (!canRun(form)) return t.skip(`${form} cannot be run here`);
      preparing ??= prepare();
      await preparing;
      const key = keys.get(visit) as string;
      for (const [i, block] of visit.blocks.entries()) {
        const program = programOf(visit, block);
        if (!canRun(program.form)) continue;
        await sendCodeFirst(visit.blocks.slice(0, i), block, key);
        const result = await (runner as Runner).run(program, { ZHIBER_KEY: key });
        const label = `${page.lang}/${page.slug}.md, line ${block.line}, ${form}`;
        assertOutcome(`${label}\n${program.code}`, { block, form: program.form, result });
        ran.set(program.form, (ran.get(program.form) ?? 0) + 1);
      }
    });
  }
});

/** A page that shows only how to verify stands for a reader who has sent a code before. */
async function sendCodeFirst(earlier: readonly Block[], block: Block, key: string): Promise<void> {
  if (block.kind !== 'snippet' || block.name !== 'otpVerify') return;
  const sent = earlier.findLast((one) => 'success' in one.expected && isAboutCodes(one));
  if (sent !== undefined && (sent.kind === 'code' || sent.name === 'otpSend')) return;
  const { phone = '+77000000000', purpose = 'login' } = block.overrides;
  await service.call('/otp/send', { phone, ...(purpose !== null && { purpose }) }, { key });
}

/** What an ordinary block does is not known: it is taken for one that sends. */
function isAboutCodes(block: Block): boolean {
  return block.kind === 'code' || block.name === 'otpSend' || block.name === 'otpVerify';
}

const SUCCESS = /["']?\bsuccess\b["']?\s*[:=]>?\s*true\b/i;
const FAILURE = /["']?\bsuccess\b["']?\s*[:=]>?\s*false\b/i;

type Outcome = { form: CodeForm; result: Result };

function assertOutcome(label: string, run: { block: Block } & Outcome): void {
  const { block, form, result } = run;
  const { code, output } = result;
  const shown = `${label}\nexit code ${code}\n${output}`;
  if (isError(block.expected)) {
    assert(output.includes(block.expected.errorCode), shown);
    assert.doesNotMatch(output, SUCCESS, shown);
    // A program that is pasted must not take a refusal for a success; curl alone decides nothing.
    if (block.kind === 'snippet' && form !== 'curl') assert.notEqual(code, 0, shown);
    return;
  }
  assert.equal(code, 0, shown);
  assert.doesNotMatch(output, FAILURE, shown);
  if (block.kind === 'snippet') assert.match(output, SUCCESS, shown);
}

function isError(expected: Expected): expected is { errorCode: string } {
  return 'errorCode' in expected;
}
