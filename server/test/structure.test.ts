/**
 * Keeps the shape of the code; the rank list in `structure-rules.ts` is the architecture document.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { check, checkMigrations, type SourceFile } from './structure-rules.ts';

const root = path.join(import.meta.dirname, '../..');

function listFiles(...patterns: string[]): string[] {
  return globSync(patterns, {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
}

const SOURCES = [
  'contract/**/*.ts',
  'server/**/*.ts',
  'cabinet/**/*.{ts,tsx}',
  'acceptance/**/*.ts',
  'simulators/**/*.ts',
  'scripts/*.mjs',
];

describe('the tree', () => {
  const paths = listFiles(...SOURCES);

  test('has files to look at', () => {
    assert.ok(paths.includes('server/src/config/config.ts'));
    assert.ok(paths.some((file) => file.startsWith('contract/src/api/')));
    assert.ok(paths.includes('cabinet/src/main.tsx'));
  });

  test('follows the rules', () => {
    const problems = paths.flatMap((file) =>
      check({ path: file, text: readFileSync(path.join(root, file), 'utf8') }),
    );
    assert.deepEqual(problems, []);
  });

  test('numbers its migrations without gaps', () => {
    const migrations = listFiles('server/migrations/*.sql').map((file) => path.basename(file));
    assert.deepEqual(checkMigrations(migrations), []);
  });
});

const importing = (file: string, specifier: string): SourceFile => ({
  path: file,
  text: `import {\n  thing,\n} from '${specifier}';\n`,
});
const holding = (file: string, text: string): SourceFile => ({ path: file, text });

const refused: Record<string, SourceFile> = {
  'an import that goes up': importing('server/src/billing/hold.ts', '../otp/send-otp.ts'),
  'an import that goes sideways': importing('server/src/links/link.ts', '../group/group.ts'),
  'a word that imports a folder': importing('server/src/phone.ts', './db/database.ts'),
  'the database importing the config': importing('server/src/db/pool.ts', '../config/config.ts'),
  'a nested folder that goes up': importing('server/src/db/embedded/a.ts', '../../keys/key.ts'),
  'an import of a folder without a rank': importing('server/src/main.ts', './novelty/a.ts'),
  'an import out of the source': importing('server/src/app.ts', '../test/harness.ts'),
  'a dynamic import that goes up': holding(
    'server/src/keys/key.ts',
    "const app = await import('../app.ts');\n",
  ),
  'a re-export that goes up': holding('server/src/keys/key.ts', "export * from '../app.ts';\n"),
  'fastify outside http': importing('server/src/otp/send-otp.ts', 'fastify'),
  'a fastify plugin outside http': importing('server/src/app.ts', '@fastify/static'),
  'a query outside a store': holding('server/src/otp/code.ts', 'await tx.query(text);\n'),
  'a select outside a store': holding('server/src/otp/code.ts', 'const q = `\n  select a from b`;'),
  'an insert outside a store': holding('server/src/jobs/a.ts', "const q = 'insert into a';\n"),
  'an update outside a store': holding('server/src/jobs/a.ts', "q('update a set b = 1');\n"),
  'a delete outside a store': holding('server/src/jobs/a.ts', "q('delete from a');\n"),
  'a with outside a store': holding('server/src/jobs/a.ts', 'q(`with a as (select 1)`);\n'),
  'the environment outside config': holding('server/src/app.ts', 'process.env.PORT;\n'),
  'the environment in a template': holding(
    'server/src/app.ts',
    'say(`$' + '{process.env.PORT}`);\n',
  ),
  'a contract that imports the server': importing('contract/src/a.ts', '../../server/src/a.ts'),
  'a contract that imports a package': importing('contract/src/a.ts', 'fastify'),
  'a contract that imports Node': importing('contract/src/a.ts', 'node:fs'),
  'acceptance that imports the server': importing('acceptance/a.test.ts', '../server/src/app.ts'),
  'acceptance that imports its package': importing('acceptance/a.test.ts', '@zhiber/server/a.ts'),
  'a page of the cabinet that imports another': importing(
    'cabinet/src/keys/keys-page.tsx',
    '../messages/row.tsx',
  ),
  'a page that imports the router': importing('cabinet/src/keys/a.tsx', '../app/routes.ts'),
  'a part of the pages that imports a page': importing(
    'cabinet/src/ui/table/row.tsx',
    '../../keys/key-row.tsx',
  ),
  'the cabinet importing the server': importing(
    'cabinet/src/ui/a.tsx',
    '../../../server/src/phone.ts',
  ),
  'the cabinet importing Node': importing('cabinet/src/call.ts', 'node:fs'),
  'a file of utils': holding('server/src/utils.ts', ''),
  'a folder of helpers': holding('server/src/helpers/phone.ts', ''),
  'utils in a longer name': holding('server/src/otp/code-utils.ts', ''),
  'a barrel': holding('server/src/otp/index.ts', ''),
  'a note to oneself': holding('server/src/otp/code.ts', `// ${'TO'}${'DO'}: later\n`),
  'a note of a fault': holding('server/src/otp/code.ts', `// ${'FIX'}${'ME'}\n`),
};

const accepted: Record<string, SourceFile> = {
  'an import that goes down': importing('server/src/otp/send-otp.ts', '../billing/hold.ts'),
  'an import within a folder': importing('server/src/db/embedded.ts', './embedded/folders.ts'),
  'a word that imports a word': importing('server/src/phone.ts', './problem.ts'),
  'an import that a comment mentions': holding('server/src/phone.ts', "// from './app.ts'\n"),
  'fastify in http': importing('server/src/http/server.ts', 'fastify'),
  'SQL in a store': holding('server/src/otp/otp-store.ts', "tx.query('select a from b');\n"),
  'SQL in db': holding('server/src/db/migrate.ts', "tx.query('select a from b');\n"),
  'English that begins like SQL': holding('server/src/otp/code.ts', "say('with a code, update');"),
  'the environment in main': holding('server/src/main.ts', 'readConfig(process.env);\n'),
  'the environment in a shown text': holding('server/src/app.ts', "say('process.env.KEY');\n"),
  'a page that imports what pages share': importing('cabinet/src/keys/a.tsx', '../ui/card.tsx'),
  'a page that imports a part of the frame': importing(
    'cabinet/src/keys/a.tsx',
    '../app/filters.ts',
  ),
  'the frame that opens a page': importing('cabinet/src/app/routes.ts', '../keys/keys-page.tsx'),
  'browser code of the server in the cabinet': importing(
    'cabinet/src/ui/a.tsx',
    '../../../server/src/http/pages/assets/client/copy.ts',
  ),
  'typebox in the contract': importing('contract/src/api/otp.ts', 'typebox/type'),
};

describe('the rules', () => {
  for (const [name, file] of Object.entries(refused)) {
    test(`refuse ${name}`, () => assert.equal(check(file).length, 1, check(file).join('\n')));
  }
  for (const [name, file] of Object.entries(accepted)) {
    test(`accept ${name}`, () => assert.deepEqual(check(file), []));
  }

  test('refuse migrations with a gap, a double or a wrong name', () => {
    assert.deepEqual(checkMigrations(['0001-start.sql', '0002-links.sql']), []);
    assert.notDeepEqual(checkMigrations(['0001-start.sql', '0003-links.sql']), []);
    assert.notDeepEqual(checkMigrations(['0001-start.sql', '0001-links.sql']), []);
    assert.notDeepEqual(checkMigrations(['0001-start.sql', '2-links.sql']), []);
  });
});
