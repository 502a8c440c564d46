/** Checks the architecture. The rank list in `structure-rules.ts` documents it. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import {
  check,
  checkAttacks,
  checkLock,
  checkMigrations,
  findCycles,
  type SourceFile,
} from './structure-rules.ts';

const root = path.join(import.meta.dirname, '../..');

function listFiles(...patterns: string[]): string[] {
  return globSync(patterns, {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'dist-fresh'].includes(name),
  })
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();
}

const SOURCES = [
  'contract/**/*.ts',
  'server/**/*.ts',
  'web/**/*.{ts,tsx,js,css,html}',
  'acceptance/**/*.ts',
  'simulators/**/*.ts',
  'deploy/**/*.ts',
  'sdk/**/*.{ts,mjs}',
  'examples/**/*.{ts,mjs}',
  'scripts/*.mjs',
];

type Ring = { files?: string[]; batches?: { except?: string[] } };
/** When a file is loaded, for the files beside it too; or memory, which they use too. */
const CHANGES_PROCESS = /^(process\.env\.\w+ = |process\.on\(|registerHooks\()|\.memoryUsage\(/m;

describe('the repository', () => {
  const paths = listFiles(...SOURCES);

  test('is found by the file patterns', () => {
    assert.ok(paths.includes('server/src/config/config.ts'));
    assert.ok(paths.some((file) => file.startsWith('contract/src/api/')));
    assert.ok(paths.includes('web/src/main.tsx'));
  });

  const files = paths.map((file) => ({
    path: file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }));

  test('follows all rules', () => {
    assert.deepEqual(files.flatMap(check), []);
  });

  test('gives a process to each test file that changes or measures its own', async () => {
    const script = new URL('../../scripts/rings.mjs', import.meta.url).href;
    const { RINGS } = (await import(script)) as { RINGS: Ring[] };
    const sharing = RINGS.flatMap(({ files: patterns = [], batches }) =>
      batches === undefined
        ? []
        : listFiles(...patterns).filter((file) => !batches.except?.includes(file)),
    );
    assert.ok(sharing.length > 100, String(sharing.length));
    const changing = files.filter(({ text }) => CHANGES_PROCESS.test(text));
    assert.deepEqual(
      changing.map((file) => file.path).filter((file) => sharing.includes(file)),
      [],
    );
  });

  test('has no import cycles', () => {
    assert.deepEqual(findCycles(files), []);
  });

  test('locks native packages for every platform of the README', () => {
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
    assert.deepEqual(checkLock(lock.packages), []);
  });

  test('numbers its migrations without gaps', () => {
    const tables = listFiles('server/schema/tables/*').map((file) => path.basename(file));
    assert.deepEqual(checkMigrations(tables), []);
  });

  test('has every test that the tables of attacks name', () => {
    const document = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
    assert.deepEqual(checkAttacks(document, files), []);
  });
});

const importing = (file: string, specifier: string): SourceFile => ({
  path: file,
  text: `import {\n  thing,\n} from '${specifier}';\n`,
});
const containing = (file: string, text: string): SourceFile => ({ path: file, text });

const refused: Record<string, SourceFile> = {
  'an import that goes up': importing('server/src/billing/hold.ts', '../otp/send-otp.ts'),
  'an import that goes sideways': importing('server/src/links/link.ts', '../messages/message.ts'),
  'a vocabulary file that imports a folder': importing('server/src/phone.ts', './db/database.ts'),
  'the database importing the config': importing('server/src/db/pool.ts', '../config/config.ts'),
  'a nested folder that goes up': importing('server/src/db/embedded/a.ts', '../../keys/key.ts'),
  'an import of a folder without a rank': importing('server/src/main.ts', './novelty/a.ts'),
  'an import from outside server/src': importing('server/src/app.ts', '../test/' + 'harness.ts'),
  'a dynamic import that goes up': containing(
    'server/src/keys/key.ts',
    "const app = await import('../app.ts');\n",
  ),
  'a re-export that goes up': containing('server/src/keys/key.ts', "export * from '../app.ts';\n"),
  'fastify outside http': importing('server/src/otp/send-otp.ts', 'fastify'),
  'a fastify plugin outside http': importing('server/src/app.ts', '@fastify/static'),
  'a query outside a store': containing('server/src/otp/code.ts', 'await tx.query(text);\n'),
  'a select outside a store': containing(
    'server/src/otp/code.ts',
    'const q = `\n  select a from b`;',
  ),
  'an insert outside a store': containing('server/src/jobs/a.ts', "const q = 'insert into a';\n"),
  'an update outside a store': containing('server/src/jobs/a.ts', "q('update a set b = 1');\n"),
  'a delete outside a store': containing('server/src/jobs/a.ts', "q('delete from a');\n"),
  'a common table expression outside a store': containing(
    'server/src/jobs/a.ts',
    'q(`with a as (select 1)`);\n',
  ),
  'a store imported by http': importing(
    'server/src/http/cabinet/keys.ts',
    '../../keys/key-store.ts',
  ),
  'the environment outside main': containing('server/src/app.ts', 'process.env.PORT;\n'),
  'the environment in a template string': containing(
    'server/src/app.ts',
    'say(`$' + '{process.env.PORT}`);\n',
  ),
  'a contract that imports the server': importing('contract/src/a.ts', '../../server/src/a.ts'),
  'a contract that imports a package': importing('contract/src/a.ts', 'fastify'),
  'a contract that imports Node': importing('contract/src/a.ts', 'node:fs'),
  'a build of pages that needs a tool of the repository': importing(
    'web/build/a.ts',
    'axe-core/lib/core',
  ),
  'acceptance that imports the server': importing('acceptance/a.test.ts', '../server/src/app.ts'),
  'acceptance that imports the server package': importing(
    'acceptance/a.test.ts',
    '@zhiber/server/a.ts',
  ),
  'a client that imports a package': importing('sdk/node/src/zhiber.ts', 'undici'),
  'a client that imports the contract': importing(
    'sdk/node/src/errors.ts',
    '@zhiber/contract/api/errors.ts',
  ),
  'a client that imports from the repository': importing(
    'sdk/node/src/errors.ts',
    '../../../contract/src/api/errors.ts',
  ),
  'an example that imports another': importing('examples/next/lib/a.ts', '../../express/page.mjs'),
  'an example that imports the server': importing('examples/next/lib/a.ts', '@zhiber/server/a.ts'),
  'a page of the cabinet that imports another': importing(
    'web/src/keys/keys-page.tsx',
    '../messages/row.tsx',
  ),
  'a page that imports the router': importing('web/src/keys/a.tsx', '../app/routes.ts'),
  'a shared component that imports a page': importing(
    'web/src/ui/table/row.tsx',
    '../../keys/key-row.tsx',
  ),
  'a page importing the server': importing('web/src/ui/a.tsx', '../../../server/src/phone.ts'),
  'a page importing the package of the server': importing('web/src/call.ts', '@zhiber/server/a.ts'),
  'the build of the pages importing the server': importing(
    'web/build/a.ts',
    '../../server/src/a.ts',
  ),
  'a style sheet importing the server': containing(
    'web/src/public/a.css',
    '@import "../../../server/src/http/a.css";\n',
  ),
  'a font out of the server': containing(
    'web/src/design/a.css',
    'a { src: url("../../../server/a.woff2"); }\n',
  ),
  'a document that loads the server': containing(
    'web/index.html',
    '<script type="module" src="../server/src/a.ts"></script>\n',
  ),
  'a page importing Node': importing('web/src/call.ts', 'node:fs'),
  'a test of the server that imports a page': importing(
    'server/test/api/a.test.ts',
    '../../../web/src/texts/public.ts',
  ),
  'a file of utils': containing('server/src/utils.ts', ''),
  'a folder of helpers': containing('server/src/helpers/phone.ts', ''),
  'utils in a longer name': containing('server/src/otp/code-utils.ts', ''),
  'a barrel': containing('server/src/otp/index.ts', ''),
  'a to-do comment': containing('server/src/otp/code.ts', `// ${'TO'}${'DO'}: later\n`),
  'a fix-me comment': containing('server/src/otp/code.ts', `// ${'FIX'}${'ME'}\n`),
};

const accepted: Record<string, SourceFile> = {
  'an import that goes down': importing('server/src/otp/send-otp.ts', '../billing/hold.ts'),
  'an import within a folder': importing('server/src/db/embedded.ts', './embedded/folders.ts'),
  'a vocabulary file that imports another': importing('server/src/phone.ts', './problem.ts'),
  'an import inside a comment': containing('server/src/phone.ts', "// from './app.ts'\n"),
  'fastify in http': importing('server/src/http/transport/server.ts', 'fastify'),
  'SQL in a store': containing('server/src/otp/otp-store.ts', "tx.query('select a from b');\n"),
  'SQL in db': containing('server/src/db/migrate.ts', "tx.query('select a from b');\n"),
  'a sentence that begins like SQL': containing(
    'server/src/otp/code.ts',
    "say('with a code, update');",
  ),
  'a store type imported by http': containing(
    'server/src/http/cabinet/keys.ts',
    "import type { OwnKey } from '../../keys/key-store.ts';\n",
  ),
  'the environment in main': containing('server/src/main.ts', 'readConfig(process.env);\n'),
  'the environment in a string literal': containing(
    'server/src/app.ts',
    "say('process.env.KEY');\n",
  ),
  'a page that imports a shared component': importing('web/src/keys/a.tsx', '../ui/card.tsx'),
  'a page that imports from the app folder': importing('web/src/keys/a.tsx', '../app/filters.ts'),
  'a route that imports a page': importing('web/src/app/routes.ts', '../keys/keys-page.tsx'),
  'a page that imports the contract': importing('web/src/a.ts', '@zhiber/contract/api/otp.ts'),
  'a font out of its package': containing(
    'web/src/design/a.css',
    'a { src: url("onest/a.woff2"); }\n',
  ),
  'a document that loads its script': containing(
    'web/index.html',
    '<script src="/src/main.tsx">\n',
  ),
  'a client that imports its own file': importing('sdk/node/src/zhiber.ts', './errors.ts'),
  'a client that imports Node': importing('sdk/node/src/call-api.ts', 'node:crypto'),
  'an example that imports the client': importing('examples/next/lib/zhiber.ts', '@zhiber/sdk'),
  'an example that imports its framework': importing('examples/express/server.mjs', 'express'),
  'a test of the pages that reads files': importing('web/src/size.test.ts', 'node:fs'),
  'typebox in the contract': importing('contract/src/api/otp.ts', 'typebox/type'),
};

describe('the rules', () => {
  for (const [name, file] of Object.entries(refused)) {
    test(`refuse ${name}`, () => assert.equal(check(file).length, 1, check(file).join('\n')));
  }
  for (const [name, file] of Object.entries(accepted)) {
    test(`accept ${name}`, () => assert.deepEqual(check(file), []));
  }

  test('refuse an import cycle, type imports included', () => {
    const files = [
      importing('server/src/otp/a.ts', './b.ts'),
      containing('server/src/otp/b.ts', "import type { Thing } from '../links/c.ts';\n"),
      importing('server/src/links/c.ts', '../otp/a.ts'),
    ];
    assert.equal(findCycles(files).length, 1);
    assert.deepEqual(findCycles(files.slice(1)), []);
  });

  test('refuse a cycle of pages', () => {
    const files = [
      importing('web/src/ui/a.tsx', './b.ts'),
      containing('web/src/ui/b.ts', "import type { Thing } from './a.tsx';\n"),
    ];
    assert.equal(findCycles(files).length, 1);
  });

  test('refuse a lock file that lacks a platform', () => {
    const names = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];
    const createLock = (locked: readonly string[]) => ({
      'node_modules/tool': {
        optionalDependencies: Object.fromEntries(names.map((name) => [`@tool/${name}`, '1.0.0'])),
      },
      ...Object.fromEntries(
        locked.map((name) => {
          const [os = '', cpu = ''] = name.split('-');
          return [`node_modules/@tool/${name}`, { os: [os], cpu: [cpu] }];
        }),
      ),
    });
    assert.deepEqual(checkLock(createLock(names)), []);
    assert.deepEqual(checkLock(createLock(names.slice(0, 2))).length, 3);
  });

  test('refuse migrations with a gap, a duplicate or a wrong name', () => {
    assert.deepEqual(checkMigrations(['0001-start.sql', '0002-links.sql']), []);
    const kinds = ['0001-a.sql', '0002-b.concurrently.sql', '0003-c.contract.sql'];
    assert.deepEqual(checkMigrations(kinds), []);
    assert.notDeepEqual(checkMigrations(['0001-a.later.sql']), []);
    assert.notDeepEqual(checkMigrations(['0001-start.sql', '0003-links.sql']), []);
    assert.notDeepEqual(checkMigrations(['0001-start.sql', '0001-links.sql']), []);
    assert.notDeepEqual(checkMigrations(['0001-start.sql', '2-links.sql']), []);
  });

  describe('of the tables of attacks', () => {
    const file = 'server/test/api/a.test.ts';
    const tests =
      "describe('a key', () => {\n  test(\n    `is not ${" + 'what}`, () => {});\n});\n';
    const problemsOf = (cell: string) =>
      checkAttacks(
        `# Security\n\n## Attacks\n\n| tried | now | shown by |\n|---|---|---|\n| a | b | ${cell} |\n`,
        [containing(file, tests)],
      );

    test('accept a file, its tests and the beginning of a name', () => {
      for (const names of ['', ' *a key*', ' *a key*, *is not …*', `; \`${file}\` *a key*`]) {
        assert.deepEqual(problemsOf(`\`${file}\`${names}`), []);
      }
    });

    for (const [what, cell] of Object.entries({
      'a file that does not exist': '`server/test/api/b.test.ts`',
      'a test that does not exist': `\`${file}\` *a key*, *another key*`,
      'a part of a name': `\`${file}\` *a k*`,
      'a name that is not marked': `\`${file}\` a key`,
      'a row without a test': '',
      'a row with another column': `\`${file}\` | c`,
    })) {
      test(`refuse ${what}`, () => assert.equal(problemsOf(cell).length, 1));
    }

    test('refuse a document without them', () => {
      assert.equal(checkAttacks('# Security\n', []).length, 1);
    });
  });
});
