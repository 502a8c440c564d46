import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { LANGS } from '@zhiber/contract/languages.ts';
import { describeApi } from '../../src/http/api/openapi.ts';
import { toYaml } from '../../src/http/api/openapi-yaml.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

// The packages of Spectral are CommonJS whose names Node cannot find by reading them.
const require = createRequire(import.meta.url);
const {
  Document,
  Spectral,
}: typeof import('@stoplight/spectral-core') = require('@stoplight/spectral-core');
const Parsers: typeof import('@stoplight/spectral-parsers') = require('@stoplight/spectral-parsers');
const {
  oas,
}: typeof import('@stoplight/spectral-rulesets') = require('@stoplight/spectral-rulesets');

const REDOCLY = path.join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');

// Both linters refuse a description that names localhost.
const description = describeApi('https://zhiber.kz');
const yaml = toYaml(description);

test("the description passes Redocly's recommended rules", async () => {
  const folder = createTemporaryFolder('redocly');
  try {
    writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(description));
    const args = [REDOCLY, 'lint', '--extends=recommended', '--format=json', 'openapi.json'];
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = { cwd: folder, env: { ...process.env, ...quiet }, timeout: 120_000 };
    const run = promisify(execFile)(process.execPath, args, options);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: unknown[] };
    assert.deepEqual(problems, []);
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the description passes Spectral's rules for OpenAPI", async () => {
  const spectral = new Spectral();
  // All rules, not only the recommended ones, but for two: no address of ours is known to take
  // letters about the API, and the tags come in the order in which they are used.
  const rules = { 'contact-properties': 'off', 'openapi-tags-alphabetical': 'off' } as const;
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'all']], rules });
  const found = await spectral.run(new Document(yaml, Parsers.Yaml, 'openapi.yaml'));
  assert.deepEqual(
    found.map(({ code, message, path: at }) => `${code}: ${message} (${at.join('.')})`),
    [],
  );
});

test('the description in YAML says the same as the one in JSON', () => {
  const { data, diagnostics } = Parsers.Yaml.parse(yaml);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(data, JSON.parse(JSON.stringify(description)));
});

/** Every part of the description that a reader has to understand, with its place. */
function describedParts(part: unknown, place: string): [place: string, part: object][] {
  if (typeof part !== 'object' || part === null) return [];
  const own = part as Record<string, unknown>;
  const fields = Object.entries((own.properties ?? {}) as Record<string, object>);
  const isPart = 'operationId' in own || ('in' in own && 'name' in own);
  return [
    ...(isPart ? [[place, own] satisfies [string, object]] : []),
    ...fields.map(([name, field]): [string, object] => [`${place}.${name}`, field]),
    ...Object.entries(own)
      .filter(([name]) => !['example', 'examples'].includes(name))
      .flatMap(([name, inner]) => describedParts(inner, `${place}.${name}`)),
  ];
}

for (const lang of LANGS) {
  test(`every operation, parameter, header and field has a description (${lang})`, () => {
    const described = describeApi('https://zhiber.kz', lang);
    const { headers } = described.components as { headers: Record<string, object> };
    const parts = [...describedParts(described, ''), ...Object.entries(headers)];
    assert(parts.length > 100, `${parts.length} parts`);
    const script = lang === 'en' ? /^[^а-яё]*[a-z]{3}/is : /[а-яёәіңғүұқөһ]{3}/i;
    for (const [place, part] of parts) {
      const { description: text } = part as { description?: string };
      assert.match(text ?? '', script, place);
    }
  });
}
